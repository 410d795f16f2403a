import { expect, test } from 'vitest'

/** A line in the report for what the provider lacks. */
export function absent(what: string): void {
  test.skipIf(true)(`the provider has no ${what}`, () => expect.unreachable())
}
