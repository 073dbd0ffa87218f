/** Whether an id is of the form that `hostCallId` gives. */
export function isHostCallId(id: string): boolean {
  return /^s[a-zA-Z0-9]{8}$/.test(id);
}
