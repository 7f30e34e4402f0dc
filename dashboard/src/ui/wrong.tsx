/** What went wrong with a deed, where it was tried. Nothing while nothing did. */
export function Wrong({
  error,
  className = "",
}: {
  readonly error: Error | null | undefined;
  readonly className?: string;
}) {
  if (error === null || error === undefined) return null;
  return (
    <p role="alert" className={`text-sm text-failed ${className}`} dir="auto">
      {error.message}
    </p>
  );
}
