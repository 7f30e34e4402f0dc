import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ServerView } from "../../../../../src/server/contract/wire.ts";
import { mediaPaths, mediaQueries } from "../../../api/media.ts";
import { count } from "../../../text/format.ts";
import { words } from "../../../text/words.ts";
import { AskFirst } from "../../../ui/ask-first.tsx";
import { SetList } from "../media/set-list.tsx";
import { toMb } from "./given.ts";
import { ServerForm } from "./server-form.tsx";

const texts = words.settings.delivery;
const own = texts.servers;

export function Servers() {
  const query = useQuery(mediaQueries.servers());
  return (
    <SetList
      set="servers"
      query={query}
      texts={own}
      canTest
      tell={(one) => <ServerTold of={one} />}
      form={(props) => <ServerForm {...props} />}
    />
  );
}

function ServerTold({ of }: { readonly of: ServerView }) {
  const { name, kind, host, port, username, root, films, series, isDefault, service } = of;
  const where = kind === "folder" ? own.kinds.folder : `SFTP, ${username}@${host}:${port}`;
  return (
    <div className="space-y-0.5">
      <p className="flex flex-wrap gap-x-3">
        <span className="font-medium wrap-anywhere">{name}</span>
        {isDefault ? <span className="text-sm text-soft">{own.isDefaultShort}</span> : null}
        <Link to="/services" search={{ service }} className="text-sm underline">
          {words.settings.media.service}
        </Link>
      </p>
      <p className="text-sm text-soft wrap-anywhere" dir="auto">
        {where} · {own.folders(root, films, series)}
      </p>
      <p className="text-sm text-soft wrap-anywhere" dir="auto">
        {moreOf(of).join(" · ")}
      </p>
      {kind === "sftp" ? <HostKey of={of} /> : null}
    </div>
  );
}

function moreOf({ encoding, bytesPerSecond, mediaServer, kind, hasPassword, hasPrivateKey }: ServerView): string[] {
  const { secret } = words.settings.media;
  const way = hasPrivateKey ? own.ways.key : own.ways.password;
  return [
    own.gets(encoding ?? texts.asFound),
    ...(kind === "folder" ? [] : [`${own.way} ${way}: ${hasPassword || hasPrivateKey ? secret.isSet : secret.isNot}`]),
    ...(bytesPerSecond === null ? [] : [own.bandwidthOf(count(toMb(bytesPerSecond)))]),
    ...(mediaServer === null ? [] : [own.tells(own.mediaServers[mediaServer.kind], mediaServer.url)]),
  ];
}

/** Whose key it was at the first visit; another is refused until this one is forgotten. */
function HostKey({ of: { name, hostKey } }: { readonly of: ServerView }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
      <span>
        {own.hostKey}: {hostKey === null ? own.hostKeyNone : <code className="wrap-anywhere text-ink">{hostKey}</code>}
      </span>
      {hostKey === null ? null : (
        <AskFirst
          label={own.forget}
          title={own.forgetOf(name)}
          about={own.forgetAbout}
          deed={{ path: mediaPaths.hostKey(name), method: "DELETE" }}
          isMild
        />
      )}
    </div>
  );
}
