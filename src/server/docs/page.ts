// The reference page: the whole contract in one document without a script, so that it prints, is searched by the browser, and
// works under the strictest policy. Made from the OpenAPI document, so it cannot say anything else.

import type { CatalogueEntry } from "../http/error-catalogue.ts";
import { Html, html, prose } from "../http/html.ts";
import { type ApiDocument, anchorOf, type Content, type Route, routesByTag, schemaAnchor } from "./api-document.ts";
import { curlExample } from "./curl.ts";
import { fieldsOf, fieldsTable, typeWords } from "./schema-view.ts";
import { STYLE } from "./style.ts";

export type { ApiDocument } from "./api-document.ts";

export function referencePage(document: ApiDocument, errors: readonly CatalogueEntry[]): string {
  const groups = [...routesByTag(document)];
  const { title, version, description = "" } = document.info;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} API ${version}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<div class="frame">
<nav aria-label="Contents"><details><summary>Contents</summary>
<ul><li><a href="#begin">How to begin</a></li><li><a href="#errors">Errors</a></li><li><a href="#schemas">Schemas</a></li></ul>
${groups.map(([tag, routes]) => html`<h2>${tag}</h2><ul>${routes.map(navEntry)}</ul>`)}
</details></nav>
<main>
<h1>${title} API <small>version ${version}</small></h1>
<p class="dim">${description}</p>
${beginning()}
${groups.map(([tag, routes]) => html`<section id="${tagAnchor(tag)}"><h2>${tag}</h2>${routes.map((route) => article(document, route))}</section>`)}
${errorTable(errors)}
${schemas(document)}
</main>
</div>
</body>
</html>
`;
  return page.text;
}

const tagAnchor = (tag: string) => `tag-${tag.replaceAll(/[^a-z0-9]+/gi, "-")}`;

function navEntry(route: Route): Html {
  const short = route.path.replace(/^\/api\/v1/, "");
  return html`<li><a href="#${anchorOf(route)}"><span class="method ${route.method}">${route.method}</span><span>${short}</span></a></li>`;
}

function beginning(): Html {
  const example = `curl http://127.0.0.1:7470/api/v1/overview \\\n  -H "authorization: Bearer $SLUICE_KEY"`;
  return html`<section id="begin"><h2>How to begin</h2>
<p>Programs send a key, made by somebody who is signed in. A key may do no more than its owner, and of that what its scopes
name: <code>read</code>, <code>submit</code>, <code>operate</code>, <code>admin</code>. Browsers sign in and are known by a cookie.</p>
<pre>${example}</pre>
<ul><li>Lists have <code>limit</code> and <code>after</code>; <code>next</code> of a page is the <code>after</code> of the following one.</li>
<li>Actions take <code>?dryRun=true</code>: nothing is done, and the answer tells what would be.</li>
<li>What went wrong is <code>application/problem+json</code> with a <code>code</code>, a sentence in <code>detail</code>, and a
<code>requestId</code> that the log has too. <a href="#errors">All codes</a>.</li>
<li>The same for programs: <a href="/api/v1/openapi.json">openapi.json</a>, for whoever may read.</li></ul></section>`;
}

const RIGHTS: { readonly [right: string]: string } = {
  open: "Open to everybody.",
  self: "For people who are signed in, of any role; not for keys.",
};

function article(document: ApiDocument, route: Route): Html {
  const { method, path, operation } = route;
  const { summary = "", description, parameters = [], requestBody, responses = {} } = operation;
  const right = operation["x-right"] ?? "open";
  const given = parameters.map(({ name, required = false, schema = {}, description: told }) => {
    const words = told === undefined ? {} : { description: told };
    return { name, depth: 0, isRequired: required, schema: { ...schema, ...words } };
  });
  const rightWords = RIGHTS[right] === undefined ? html`Needs the right to <code>${right}</code>.` : RIGHTS[right];
  return html`<article id="${anchorOf(route)}">
<h3><a href="#${anchorOf(route)}"><span class="method ${method}">${method}</span> <code>${path}</code></a></h3>
<p class="summary">${prose(summary)}${summary.endsWith(".") ? "" : "."}${description === undefined ? "" : html` <span class="dim">${prose(description)}</span>`}</p>
<p class="right">${rightWords}</p>
${given.length === 0 ? "" : html`<h4>Parameters</h4>${fieldsTable(given, true)}`}
${requestBody?.content === undefined ? "" : content("Body", requestBody.content, true)}
${Object.entries(responses).map(([status, one]) => answer(status, one))}
<details><summary>Example</summary><pre>${curlExample(document, route)}</pre></details>
</article>`;
}

function answer(status: string, one: { readonly description?: string; readonly content?: Content }): Html {
  // What goes wrong is told alike everywhere, and once at the end.
  if (status === "default") return html``;
  return content(`Answer ${status}: ${one.description ?? ""}`, one.content ?? {}, false);
}

function content(heading: string, types: Content, showsRequired: boolean): Html {
  const [entry] = Object.entries(types);
  if (entry === undefined) return html`<h4>${heading}</h4>`;
  const [type, { schema = {} }] = entry;
  const fields = fieldsOf(schema);
  const isJson = /json/.test(type);
  const words = isJson
    ? fields.length > 0 && schema.$ref === undefined
      ? html``
      : html`<p class="summary">${typeWords(schema)}</p>`
    : html`<p class="summary"><code>${type}</code></p>`;
  return html`<h4>${heading}</h4>${words}${fieldsTable(fields, showsRequired)}`;
}

function errorTable(errors: readonly CatalogueEntry[]): Html {
  const rows = (of: CatalogueEntry["of"]) =>
    errors
      .filter((one) => one.of === of)
      .map(
        ({ code, status, sentence, retry, advice }) =>
          html`<tr><td id="${of === "answer" ? "error" : "failure"}-${code}"><code>${code}</code> ${status ?? ""}${retry ? html` <span class="dim">may pass by itself</span>` : ""}</td><td>${prose(sentence)}</td><td>${prose(advice)}</td></tr>`,
      );
  const table = (of: CatalogueEntry["of"]) =>
    html`<div class="wide"><table><thead><tr><th>code</th><th>what it means</th><th>what to do</th></tr></thead><tbody>${rows(of)}</tbody></table></div>`;
  return html`<section id="errors"><h2>errors</h2><p>Codes of answers, with their status.</p>${table("answer")}
<p>Codes that an item fails with, where the engine gives them; a stage may give others of its own.</p>${table("item")}</section>`;
}

function schemas(document: ApiDocument): Html {
  const all = Object.entries(document.components?.schemas ?? {}).sort(([one], [other]) => one.localeCompare(other));
  return html`<section id="schemas"><h2>schemas</h2>${all.map(([name, schema]) => {
    const fields = fieldsOf(schema);
    const words = fields.length > 0 ? "" : html`<p class="summary">${typeWords(schema)}</p>`;
    return html`<article id="${schemaAnchor(name)}"><h3><a href="#${schemaAnchor(name)}">${name}</a></h3>${words}${fieldsTable(fields, false)}</article>`;
  })}</section>`;
}
