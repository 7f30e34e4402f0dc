export function Workers() {
  return <h1 className="text-2xl font-semibold">Workers</h1>;
}
