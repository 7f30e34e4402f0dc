// The picture of a film or a series. It has its place before it comes, so nothing jumps; where there is none, initials.

import { useState } from "react";
import { initialsOf } from "./standing.ts";

interface Props {
  readonly poster: string | null;
  readonly title: string;
  readonly className?: string;
}

export function Poster({ poster, title, className = "w-16 sm:w-20" }: Props) {
  const [broken, setBroken] = useState<string>();
  const frame = `aspect-[2/3] shrink-0 self-start overflow-hidden rounded-md border border-line bg-sunk ${className}`;
  if (poster === null || poster === broken)
    return (
      <span aria-hidden className={`flex items-center justify-center text-xl font-semibold text-soft ${frame}`}>
        {initialsOf(title)}
      </span>
    );
  return (
    <img
      src={poster}
      alt=""
      loading="lazy"
      decoding="async"
      width={200}
      height={300}
      onError={() => setBroken(poster)}
      className={`object-cover ${frame}`}
    />
  );
}
