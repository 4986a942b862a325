/** Saves a text or bytes as a file, as a download of the browser. */
export function saveFile(name: string, content: BlobPart, type = 'application/json'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
