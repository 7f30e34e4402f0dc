import { expect, it } from "vitest";
import { encodingProfile } from "../../../connectors/index.ts";
import { formatId } from "../../../kit/index.ts";
import { standardProfile } from "../releases/index.ts";
import { wanted } from "../wanted.ts";
import { allWishes, type NamedTarget, whoWantsWhat } from "./who-wants-what.ts";

const hevc = encodingProfile.parse({ name: "hevc", codec: "hevc" });
const av1 = encodingProfile.parse({ name: "av1", codec: "av1" });
const nas = { name: "nas", encoding: null };
const input = wanted.parse({ kind: "film", tmdb: 19, profile: standardProfile, targets: [nas] });

it("who joined adds targets and encodings, and changes none", () => {
  const joined: NamedTarget[] = [
    { name: "nas", encoding: "hevc", profile: hevc },
    { name: "attic", encoding: "hevc", profile: { ...hevc, crf: 40 } },
    { name: "shed", encoding: "av1", profile: av1 },
  ];
  expect(allWishes({ targets: [nas], encodings: [] }, joined)).toEqual({
    targets: [nas, { name: "attic", encoding: "hevc" }, { name: "shed", encoding: "av1" }],
    encodings: [hevc, av1],
  });
});

it("is asked once in a visit, and again in the next one", async () => {
  let asked = 0;
  const wishes = whoWantsWhat(async () => {
    asked += 1;
    return asked === 1 ? [] : [{ name: "attic", encoding: null, profile: null }];
  });
  const item = { id: formatId("item", "1"), request: formatId("request", "1"), owner: null };
  const visit = { input, item };
  expect([await wishes(visit), await wishes(visit)]).toEqual([
    { targets: [nas], encodings: [] },
    { targets: [nas], encodings: [] },
  ]);
  expect(asked).toBe(1);
  expect((await wishes({ input, item })).targets.map(({ name }) => name)).toEqual(["nas", "attic"]);
});
