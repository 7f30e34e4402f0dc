export function Pipelines() {
  return <h1 className="text-2xl font-semibold">Pipelines</h1>;
}
