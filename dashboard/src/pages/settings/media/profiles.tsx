import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { ProfileView } from "../../../../../src/server/contract/wire.ts";
import { mediaQueries } from "../../../api/media.ts";
import { count } from "../../../text/format.ts";
import { words } from "../../../text/words.ts";
import { TextField } from "../../../ui/field.tsx";
import { Tick } from "./fields.tsx";
import { LISTS, NUMBERS, profileIn } from "./given.ts";
import { type FormProps, SetList } from "./set-list.tsx";
import { SettingForm } from "./setting-form.tsx";

const own = words.settings.media.profiles;
const STANDARD = "standard";
const LIKED = ["resolutions", "sources", "codecs", "languages"] as const satisfies readonly (typeof LISTS)[number][];
const WORDS = LISTS.filter((name) => !(LIKED as readonly string[]).includes(name));
/** An empty one would take nothing. */
const isNeeded = (name: string) => (LIKED as readonly string[]).includes(name);

export function Profiles() {
  const query = useQuery(mediaQueries.profiles());
  return (
    <SetList
      set="profiles"
      query={query}
      texts={own}
      canTest={false}
      canRemove={({ name }) => name !== STANDARD}
      tell={({ name, resolutions, sources, maxMbPerMinute }) => (
        <>
          <p className="font-medium wrap-anywhere">{name}</p>
          <p className="text-sm text-soft">{own.summary(resolutions, sources, count(maxMbPerMinute))}</p>
        </>
      )}
      form={(props) => <ProfileForm {...props} standard={query.data?.entries.find(({ name }) => name === STANDARD)} />}
    />
  );
}

interface Props extends FormProps<ProfileView> {
  /** What a new one begins with. */
  readonly standard: ProfileView | undefined;
}

function ProfileForm({ of, taken, onDone, standard }: Props) {
  const shown = of ?? standard;
  return (
    <SettingForm set="profiles" name={of?.name} taken={taken} bodyOf={profileIn} canTest={false} onDone={onDone}>
      <Group title={own.order}>
        {LIKED.map((name) => (
          <ListField key={name} name={name} words={shown?.[name]} />
        ))}
      </Group>
      <Group title={own.sizes}>
        {NUMBERS.map((name) => (
          <TextField
            key={name}
            label={own[name]}
            name={name}
            type="number"
            step="any"
            min={0}
            required
            defaultValue={shown?.[name]}
          />
        ))}
      </Group>
      <Group title={own.words}>
        {WORDS.map((name) => (
          <ListField key={name} name={name} words={shown?.[name]} />
        ))}
      </Group>
      <Tick label={own.preferPropers} name="preferPropers" isOn={shown?.preferPropers ?? true} />
    </SettingForm>
  );
}

interface ListProps {
  readonly name: (typeof LISTS)[number];
  readonly words: readonly string[] | undefined;
}

function ListField({ name, words: told }: ListProps) {
  return (
    <TextField
      label={own[name]}
      name={name}
      required={isNeeded(name)}
      autoComplete="off"
      autoCapitalize="none"
      defaultValue={told?.join(", ")}
    />
  );
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-semibold text-soft">{title}</legend>
      <div className="grid gap-3 sm:grid-cols-2 sm:items-end">{children}</div>
    </fieldset>
  );
}
