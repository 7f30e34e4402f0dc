export function Work() {
  return <h1 className="text-2xl font-semibold">Work</h1>;
}
