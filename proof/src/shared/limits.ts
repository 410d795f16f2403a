/** Shorter timeouts than in production, so that a run takes minutes. */
export const hurry = {
  PROVIDER_TIMEOUT_MS: '700',
  SEND_DEADLINE_MS: '2500',
  NOT_FOUND_FINAL_AFTER_MS: '3000',
  DOUBT_AFTER_MS: String(24 * 60 * 60_000),
}

/** For drills at a steady rate, in which a slow machine must not look like a provider that does not answer. */
export const patient = { ...hurry, PROVIDER_TIMEOUT_MS: '10000', SEND_DEADLINE_MS: '20000' }

export const limits = {
  lanes: 20,
  requestTimeoutMs: 8_000,
  requestTries: 12,
  retryPauseMs: 150,
  pages: 5,
  pageTries: 6,
  pageTimeoutMs: 3_000,
  pollPauseMs: 250,
  /** How often people read the providers' statements and decide about what is in doubt. */
  decideEveryMs: 2_000,
  polls: 16,
  restartMs: 60_000,
  quietMs: 180_000,
  /** Lost payments never settle, so this wait always runs in full: it is longer than the longest poll interval. */
  restoredQuietMs: 75_000,
  proofMs: 25_000,
  quietPauseMs: 1_000,
  snapshotEveryMs: 5_000,
  backlogEveryMs: 1_000,
  backlogEvents: 1_000,
  printedViolations: 5,
  printedFaults: 3,
} as const
