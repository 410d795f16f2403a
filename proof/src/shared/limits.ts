/** What the crash test configures where an installation is slower, and how long it waits for what. */
export const hurry = {
  PROVIDER_TIMEOUT_MS: '700',
  SEND_DEADLINE_MS: '2500',
  NOT_FOUND_FINAL_AFTER_MS: '3000',
}

export const limits = {
  lanes: 20,
  requestTimeoutMs: 8_000,
  requestTries: 12,
  retryPauseMs: 150,
  pages: 5,
  pageTries: 6,
  pageTimeoutMs: 3_000,
  pollPauseMs: 250,
  polls: 16,
  restartMs: 60_000,
  quietMs: 180_000,
  /** What a restore lost never gets quiet, so this is waited for in full: longer than the rarest look takes. */
  restoredQuietMs: 75_000,
  proofMs: 25_000,
  quietPauseMs: 1_000,
  snapshotEveryMs: 5_000,
  backlogEveryMs: 1_000,
  backlogEvents: 1_000,
  printedViolations: 5,
  printedFaults: 3,
} as const
