export function Request() {
  return <h1 className="text-2xl font-semibold">Request</h1>;
}
