export function Settings() {
  return <h1 className="text-2xl font-semibold">Settings</h1>;
}
