import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { IndexerView } from "../../../../../src/server/contract/wire.ts";
import { mediaQueries } from "../../../api/media.ts";
import { words } from "../../../text/words.ts";
import { Choice, TextField } from "../../../ui/field.tsx";
import { PriorityField, SecretField, Tick } from "./fields.tsx";
import { indexerIn } from "./given.ts";
import { type FormProps, SetList } from "./set-list.tsx";
import { SettingForm } from "./setting-form.tsx";

const texts = words.settings.media;
const own = texts.indexers;
const LINKS = (["public", "lan"] as const).map((value) => ({ value, label: own.linksTo[value] }));

export function Indexers() {
  const query = useQuery(mediaQueries.indexers());
  return (
    <SetList
      set="indexers"
      query={query}
      texts={own}
      canTest
      tell={(one) => <Told of={one} secret={one.hasKey} url={one.url} label={own.key} />}
      form={(props) => <IndexerForm {...props} />}
    />
  );
}

interface ToldProps {
  readonly of: Pick<IndexerView, "name" | "priority" | "isOn" | "service">;
  readonly url: string;
  /** Null where it needs none. */
  readonly secret: boolean | null;
  readonly label: string;
}

/** What indexers and clients have in common. */
export function Told({ of: { name, priority, isOn, service }, url, secret, label }: ToldProps) {
  return (
    <>
      <p className="flex flex-wrap gap-x-3">
        <span className="font-medium wrap-anywhere">{name}</span>
        <span className={`text-sm ${isOn ? "text-soft" : "font-medium text-waiting"}`}>
          {isOn ? words.on : words.off} · {texts.priorityOf(priority)}
        </span>
        <Link to="/services" search={{ service }} className="text-sm underline">
          {texts.service}
        </Link>
      </p>
      <p className="text-sm text-soft wrap-anywhere">
        {url}
        {secret === null ? "" : ` · ${label}: ${secret ? texts.secret.isSet : texts.secret.isNot}`}
      </p>
    </>
  );
}

function IndexerForm({ of, taken, onDone }: FormProps<IndexerView>) {
  return (
    <SettingForm set="indexers" name={of?.name} taken={taken} bodyOf={indexerIn} canTest onDone={onDone}>
      <TextField
        label={own.address}
        name="url"
        type="url"
        required
        maxLength={500}
        autoComplete="off"
        defaultValue={of?.url}
      />
      <SecretField label={own.key} name="apiKey" isSet={of?.hasKey ?? false} />
      <TextField
        label={own.categories}
        name="categories"
        pattern="[0-9 ,]*"
        inputMode="numeric"
        defaultValue={of?.categories.join(", ")}
      />
      <Choice label={own.links} name="links" defaultValue={of?.links ?? "public"} options={LINKS} />
      <PriorityField priority={of?.priority ?? 25} />
      <Tick label={texts.isOn} name="isOn" isOn={of?.isOn ?? true} />
    </SettingForm>
  );
}
