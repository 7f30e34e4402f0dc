import { describe, expect, it } from "vitest";
import { html, prose } from "../http/html.ts";
import { type ApiDocument, anchorOf } from "./api-document.ts";
import { curlExample } from "./curl.ts";
import { referencePage } from "./page.ts";

const HOSTILE = `<img src=x onerror="alert('1')">`;

const document: ApiDocument = {
  info: { title: "Sluice", version: "1.2.3" },
  paths: {
    "/api/v1/things/{thing}": {
      put: {
        tags: ["things"],
        summary: `Changes a thing ${HOSTILE}`,
        "x-right": "admin",
        parameters: [{ name: "thing", in: "path", required: true, schema: { type: "string" } }],
        requestBody: {
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: ["size"],
                properties: {
                  size: { type: "integer", maximum: 9 },
                  note: { type: ["string", "null"], description: HOSTILE },
                },
              },
            },
          },
        },
        responses: {
          200: {
            description: "Changed",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } },
          },
          default: { description: "What went wrong" },
        },
      },
    },
    "/healthz": { get: { tags: ["health"], summary: "Lives", "x-right": "open", responses: {} } },
  },
  components: {
    schemas: {
      Thing: {
        type: "object",
        properties: {
          tags: { type: "array", items: { type: "string", enum: ["a", "b"] } },
          deep: { anyOf: [{ type: "object", properties: { inner: { type: "number" } } }, { type: "null" }] },
        },
      },
    },
  },
};

const errors = [
  { code: "ODD", of: "answer", status: 400, sentence: HOSTILE, retry: true, advice: "Use `this`." },
] as const;

describe("the reference page", () => {
  const page = referencePage(document, errors);

  it("tells each route with its right, what it takes and what it gives, under an anchor", () => {
    expect(page).toContain('<article id="put-api-v1-things-thing">');
    expect(page).toContain('href="#put-api-v1-things-thing"');
    expect(page).toContain("Needs the right to <code>admin</code>.");
    expect(page).toMatch(/<code>size<\/code> <span class="must">required<\/span><\/td><td>whole number<\/td>.*up to 9/);
    expect(page).toMatch(/<code>note<\/code><\/td><td>text or null<\/td>/);
    expect(page).toContain('<a href="#schema-Thing">Thing</a>');
    expect(page).toContain("list of <code>a</code> · <code>b</code>");
    expect(page).toMatch(/<code>deep<\/code><\/td><td>object or null<\/td>.*<td class="d1"><code>inner<\/code><\/td>/);
    expect(page).toContain("Open to everybody.");
    expect(page.indexOf("things</h2>")).toBeLessThan(page.indexOf("health</h2>"));
  });

  it("lets nothing through that a browser would run, and asks nobody else", () => {
    expect(page).not.toContain("<img");
    expect(page).not.toMatch(/<script|onerror="|https?:\/\/(?!127\.0\.0\.1)/);
    expect(page.match(/&lt;img src=x onerror=&quot;alert\(&#39;1&#39;\)&quot;&gt;/g)).toHaveLength(3);
  });

  it("has every anchor that it links to", () => {
    const anchors = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.filter((id) => !anchors.has(id))).toEqual([]);
  });
});

describe("an example", () => {
  const route = (path: string, method: string) => {
    const operation = document.paths[path]?.[method.toLowerCase()] ?? {};
    return { path, method, operation };
  };

  it("has what is required, and a key where one is needed", () => {
    expect(curlExample(document, route("/api/v1/things/{thing}", "PUT"))).toBe(
      [
        "curl -X PUT http://127.0.0.1:7470/api/v1/things/{thing} \\",
        '  -H "authorization: Bearer $SLUICE_KEY" \\',
        '  -H "content-type: application/json" \\',
        `  -d '{"size":1}'`,
      ].join("\n"),
    );
    expect(curlExample(document, route("/healthz", "GET"))).toBe("curl http://127.0.0.1:7470/healthz");
  });
});

it("escapes text, and takes its own as it is", () => {
  expect(html`<b title="${'"'}">${"<&>"}${html`<i>${1}</i>`}${["a", html`<br>`]}</b>`.text).toBe(
    '<b title="&quot;">&lt;&amp;&gt;<i>1</i>a<br></b>',
  );
  expect(prose("say `<b>` twice").text).toBe("say <code>&lt;b&gt;</code> twice");
  expect(anchorOf({ method: "GET", path: "/api/v1/items/{item}" })).toBe("get-api-v1-items-item");
});
