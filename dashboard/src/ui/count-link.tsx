import { Link } from "@tanstack/react-router";
import { short } from "../text/format.ts";

interface Props {
  readonly items: number;
  /** It was not counted to the end. */
  readonly isMore?: boolean;
  readonly filter: string;
}

/** A number that leads to what it counts. */
export function CountLink({ items, isMore = false, filter }: Props) {
  if (items === 0) return <span className="text-soft">0</span>;
  return (
    <Link to="/work" search={{ filter }} className="underline decoration-line underline-offset-4 hover:decoration-ink">
      {short(items)}
      {isMore ? "+" : ""}
    </Link>
  );
}
