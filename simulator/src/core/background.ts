/** Runs work in the background. A failure is a bug in the simulator; it is logged and does not stop anything else. */
export function runInBackground(task: () => Promise<unknown>): void {
  task().catch((error: unknown) => {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(`${JSON.stringify({ event: 'background_failure', message })}\n`)
  })
}
