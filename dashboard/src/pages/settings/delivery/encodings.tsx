import { useQuery } from "@tanstack/react-query";
import { mediaQueries } from "../../../api/media.ts";
import { words } from "../../../text/words.ts";
import { SetList } from "../media/set-list.tsx";
import { EncodingForm } from "./encoding-form.tsx";
import { encodingWords } from "./encoding-words.ts";

const own = words.settings.delivery.encodings;

export function Encodings() {
  const query = useQuery(mediaQueries.encodings());
  return (
    <SetList
      set="encodings"
      query={query}
      texts={own}
      canTest={false}
      canRemove={({ isAsItCame }) => !isAsItCame}
      tell={(one) => (
        <>
          <p className="flex flex-wrap gap-x-3">
            <span className="font-medium wrap-anywhere">{one.name}</span>
            {one.isAsItCame ? <span className="text-sm text-soft">{own.asItCame}</span> : null}
          </p>
          <p className="text-sm text-soft">{encodingWords(one)}</p>
        </>
      )}
      form={(props) => <EncodingForm {...props} />}
    />
  );
}
