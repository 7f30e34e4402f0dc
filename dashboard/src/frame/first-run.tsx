import { useNavigate } from "@tanstack/react-router";
import { SetUp } from "./sign-in.tsx";

export function FirstRun() {
  const navigate = useNavigate();
  return <SetUp onDone={() => void navigate({ to: "/", replace: true })} />;
}
