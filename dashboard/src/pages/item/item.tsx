export function Item() {
  return <h1 className="text-2xl font-semibold">Item</h1>;
}
