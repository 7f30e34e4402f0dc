// A page that broke, or is none: says so, and how to go on.

import { type ErrorComponentProps, Link } from "@tanstack/react-router";
import { words } from "../text/words.ts";
import { Button, buttonLook } from "../ui/button.tsx";

export function Broken({ error }: ErrorComponentProps) {
  return (
    <div role="alert" className="mx-auto max-w-lg space-y-4 px-4 pt-[12vh]">
      <h1 className="text-xl font-semibold">{words.errors.page}</h1>
      <p>{words.errors.pageHelp}</p>
      <pre className="overflow-x-auto rounded-md bg-sunk p-3 text-sm">{String(error)}</pre>
      <Button kind="main" onClick={() => location.reload()}>
        {words.live.reload}
      </Button>
    </div>
  );
}

export function NoSuchPage() {
  return (
    <div className="mx-auto max-w-lg space-y-4 px-4 pt-[12vh]">
      <h1 className="text-xl font-semibold">{words.errors.nothingHere}</h1>
      <Link to="/" className={buttonLook("main")}>
        {words.errors.home}
      </Link>
    </div>
  );
}
