import { Menu } from "@base-ui/react/menu";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Check, CircleUser } from "lucide-react";
import { ask } from "../api/ask.ts";
import { queries } from "../api/queries.ts";
import { useLive } from "../live/live.tsx";
import { words } from "../text/words.ts";
import { buttonLook } from "../ui/button.tsx";
import { chooseTheme, type Theme, useTheme } from "./theme.ts";

const THEMES: readonly Theme[] = ["system", "light", "dark"];
const ENTRY =
  "flex min-h-9 cursor-default items-center gap-2 rounded px-2.5 text-sm outline-none select-none data-highlighted:bg-sunk max-sm:min-h-11";

export function AccountMenu() {
  const client = useQueryClient();
  const { data: me } = useQuery(queries.me());
  const theme = useTheme();
  const live = useLive();
  const signOut = useMutation({
    mutationFn: () => ask("/api/v1/session", { method: "DELETE" }),
    onSuccess: () => {
      live.out();
      client.clear();
      location.assign("/");
    },
  });
  return (
    <Menu.Root>
      <p role="alert" className="text-sm text-failed">
        {signOut.isError ? words.account.stillIn(signOut.error.message) : ""}
      </p>
      <Menu.Trigger className={buttonLook("quiet")}>
        <CircleUser aria-hidden className="size-5" />
        <span className="max-w-32 truncate">
          <span className="sr-only">{words.account.menu}: </span>
          {me?.user}
        </span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={6} align="end" className="z-50">
          <Menu.Popup className="min-w-48 rounded-lg border border-line bg-panel p-1.5 shadow-lg">
            <Menu.RadioGroup value={theme} onValueChange={chooseTheme}>
              <Menu.GroupLabel className="px-2.5 py-1 text-xs text-soft">{words.theme.label}</Menu.GroupLabel>
              {THEMES.map((one) => (
                <Menu.RadioItem key={one} value={one} className={ENTRY}>
                  <span className="w-4">
                    <Menu.RadioItemIndicator>
                      <Check aria-hidden className="size-4" />
                    </Menu.RadioItemIndicator>
                  </span>
                  {words.theme[one]}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
            <Menu.Separator className="my-1.5 h-px bg-line" />
            <Menu.Item className={ENTRY} onClick={() => signOut.mutate()}>
              {words.account.signOut}
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
