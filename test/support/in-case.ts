/** Says how to run a case alone, if it fails. */
export async function inCase(replay: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    throw new Error(`failed: ${replay}`, { cause: error });
  }
}
