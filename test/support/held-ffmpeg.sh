# ffmpeg whose source comes through a pipe: half of it at once, crumbs for half a minute, and the rest when there is a file $go. It says how
# far it is only while something comes. Sourced by the programs that held-ffmpeg.ts makes, with what they were told.

pipe=$0.$$.pipe
mkfifo "$pipe"
args=("$@")
for at in "${!args[@]}"; do
  if [ "${args[$at]}" = -i ]; then
    source=${args[$at + 1]#file:}
    args[at + 1]=file:$pipe
  fi
done
(
  exec > "$pipe"
  rm "$pipe"
  size=$(stat -c %s "$source")
  sent=$((size / 2))
  head -c $sent "$source"
  until [ -e "$go" ]; do
    # Whoever reads is gone.
    kill -0 $$ 2> /dev/null || exit
    if [ $sent -lt $((size * 8 / 10)) ]; then
      tail -c +$((sent + 1)) "$source" | head -c 4096
      sent=$((sent + 4096))
    fi
    sleep 0.2
  done
  tail -c +$((sent + 1)) "$source"
) &
exec ffmpeg "${args[@]}"
