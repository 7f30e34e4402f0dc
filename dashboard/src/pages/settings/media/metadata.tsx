import { useQuery } from "@tanstack/react-query";
import type { MouseEvent } from "react";
import type { MediaTested, MetadataView } from "../../../../../src/server/contract/wire.ts";
import { useDeed } from "../../../api/deed.ts";
import { mediaPaths, mediaQueries } from "../../../api/media.ts";
import { words } from "../../../text/words.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Form, givenIn } from "../../../ui/form.tsx";
import { Loaded, Panel } from "../../../ui/panel.tsx";
import { Wrong } from "../../../ui/wrong.tsx";
import { SecretField } from "./fields.tsx";
import { metadataIn } from "./given.ts";
import { Tested } from "./tested.tsx";

const texts = words.settings.media;
const own = texts.metadata;

export function Metadata() {
  const query = useQuery(mediaQueries.metadata());
  return (
    <Panel title={own.title}>
      <p className="px-4 pb-2 text-sm text-soft">{own.about}</p>
      <Loaded query={query} what={own.title}>
        {(metadata) => <MetadataForm metadata={metadata} />}
      </Loaded>
    </Panel>
  );
}

function MetadataForm({ metadata: { hasKey, language, url } }: { readonly metadata: MetadataView }) {
  const save = useDeed();
  const test = useDeed<MediaTested>();
  const tryOut = ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) => {
    if (form?.reportValidity() === true)
      test.mutate({ path: mediaPaths.testMetadata, body: metadataIn(givenIn(form)) });
  };
  return (
    <Form
      error={save.error}
      className="space-y-3 px-4 pb-4"
      onGiven={(given, form) =>
        save.mutate(
          { path: mediaPaths.metadata, method: "PUT", body: metadataIn(given) },
          // What was typed for the key is kept there now, and not here.
          { onSuccess: () => form.reset() },
        )
      }
    >
      {/* Made anew when what is set has changed, so that it shows that. */}
      <div key={`${hasKey} ${language} ${url}`} className="grid gap-3 sm:grid-cols-3 sm:items-start">
        <SecretField label={own.key} name="key" isSet={hasKey} />
        <TextField
          label={own.language}
          name="language"
          pattern="[a-z]{2}(-[A-Z]{2})?"
          maxLength={5}
          defaultValue={language ?? ""}
        />
        <TextField
          label={own.address}
          name="url"
          type="url"
          maxLength={500}
          autoComplete="off"
          defaultValue={url ?? ""}
        />
      </div>
      <Tested tested={test.data} isPending={test.isPending} />
      <Wrong error={test.error} />
      <div className="flex flex-wrap items-center justify-end gap-2">
        {save.isSuccess ? <p role="status">{words.settings.saved}</p> : null}
        <Button aria-label={texts.testOf(own.title)} disabled={test.isPending} onClick={tryOut}>
          {texts.test}
        </Button>
        <Button type="submit" kind="main" aria-label={own.save} disabled={save.isPending}>
          {words.settings.save}
        </Button>
      </div>
    </Form>
  );
}
