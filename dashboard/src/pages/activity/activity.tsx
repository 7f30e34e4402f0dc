export function Activity() {
  return <h1 className="text-2xl font-semibold">Activity</h1>;
}
