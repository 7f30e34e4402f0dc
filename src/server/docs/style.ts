// How the reference page looks: light and dark as the reader's system has it, on a phone in one column.

export const STYLE = `
:root { color-scheme: light dark; --bg: #fdfdfc; --fg: #1d2127; --dim: #5b6472; --line: #e3e5e9; --soft: #f4f5f7;
  --link: #0b62c4; --get: #0a6b43; --post: #1c56b8; --put: #8a4b00; --delete: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --bg: #14171b; --fg: #e4e7eb; --dim: #9aa4b1; --line: #2b3038; --soft: #1c2026;
  --link: #77b3ff; --get: #57cf9b; --post: #86b4ff; --put: #f0b25e; --delete: #ff8f86; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--bg); color: var(--fg); font: 16px/1.55 system-ui, sans-serif; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, pre { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.frame { display: grid; grid-template-columns: 19rem minmax(0, 1fr); max-width: 84rem; margin: 0 auto; }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto; padding: 2rem 1rem 2rem 1.5rem;
  border-right: 1px solid var(--line); font-size: .8125rem; }
nav h2 { margin: 1.25rem 0 .25rem; font-size: .75rem; letter-spacing: .04em; text-transform: uppercase; color: var(--dim); }
nav ul { margin: 0; padding: 0; list-style: none; }
nav li a { display: flex; gap: .5rem; padding: .2rem 0; color: var(--fg); overflow-wrap: anywhere; }
nav summary { margin: 0; color: var(--fg); font-size: .9375rem; }
main { min-width: 0; padding: 2rem 2.5rem 6rem; }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; }
h1 small { font-size: .875rem; font-weight: 400; color: var(--dim); }
main > section > h2 { margin: 3.5rem 0 0; padding-bottom: .4rem; border-bottom: 2px solid var(--line); font-size: 1.375rem; }
main > section > h2::first-letter { text-transform: uppercase; }
article { padding: 1.75rem 0 .5rem; border-bottom: 1px solid var(--line); }
article:last-child { border: 0; }
article h3 { margin: 0; font-size: 1rem; font-weight: 600; overflow-wrap: anywhere; }
article h3 a { color: inherit; }
article h4 { margin: 1.25rem 0 .35rem; font-size: .8125rem; color: var(--dim); font-weight: 600; }
article:target h3 { background: var(--soft); box-shadow: 0 0 0 .4rem var(--soft); border-radius: 2px; }
.method { display: inline-block; min-width: 3.6rem; font: 700 .75rem/1.5 ui-monospace, Menlo, Consolas, monospace; }
nav .method { flex: none; min-width: 2.9rem; font-size: .6875rem; line-height: 1.9; }
.GET { color: var(--get); } .POST { color: var(--post); } .PUT, .PATCH { color: var(--put); } .DELETE { color: var(--delete); }
.summary { margin: .35rem 0 0; }
.dim { color: var(--dim); }
.right { margin: .35rem 0 0; font-size: .875rem; color: var(--dim); }
.must { margin-left: .25rem; font-size: .75rem; color: var(--put); }
pre { margin: .35rem 0 0; padding: .75rem 1rem; overflow-x: auto; background: var(--soft); border: 1px solid var(--line);
  border-radius: 6px; }
td code, p code, li code { padding: .1em .3em; background: var(--soft); border-radius: 4px; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; }
th { text-align: left; font-weight: 600; color: var(--dim); }
th, td { padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td:first-child { width: 32%; } td:nth-child(2) { width: 28%; }
td.d1 { padding-left: 1.25rem; } td.d2 { padding-left: 2.5rem; } td.d3 { padding-left: 3.75rem; }
details > summary { cursor: pointer; color: var(--dim); font-size: .8125rem; font-weight: 600; margin-top: 1.25rem; }
@media (max-width: 56rem) {
  .frame { display: block; }
  nav { position: static; max-height: none; border-right: 0; border-bottom: 1px solid var(--line); padding: 1rem; }
  nav li a { padding: .45rem 0; }
  main { padding: 1.25rem 1rem 4rem; }
  thead { display: none; }
  tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--line); }
  td, td:first-child, td:nth-child(2) { display: block; width: auto; padding: .1rem 0; border: 0; }
  td:empty { display: none; }
}
/* Folded on a phone; beside the text there is room for it. A browser that does not know how keeps it folded, too. */
@media (min-width: 56.001rem) { @supports selector(::details-content) {
  nav summary { display: none; }
  nav details::details-content { content-visibility: visible; }
} }
@media print { nav { display: none; } .frame { display: block; } }
`;
