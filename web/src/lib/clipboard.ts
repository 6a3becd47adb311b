/** Copies what stands in a field; without https the clipboard is closed to pages, but not to a selection. */
export async function copyFrom(field: HTMLInputElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    field.select();
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- there is nothing else without https
    document.execCommand("copy");
  }
}
