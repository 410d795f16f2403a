import { expect, test } from 'vitest'

/** Reports a capability that the provider lacks as a skipped test. */
export function absent(what: string): void {
  test.skipIf(true)(`the provider has no ${what}`, () => expect.unreachable())
}
