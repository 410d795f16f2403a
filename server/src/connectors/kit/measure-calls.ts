import type { Connector } from './connector.ts'

/** The functions of a connector that call the provider. */
const operations = [
  'collect',
  'payout',
  'onRamp',
  'offRamp',
  'inquire',
  'act',
  'receiveReturn',
  'cancel',
  'refund',
  'inquireRefund',
  'listRefunds',
  'identify',
  'listNetworks',
  'listBanks',
  'listTransactions',
  'openAccount',
  'resolveAccount',
  'inquireDispute',
  'referenceOf',
  'listDisputes',
  'disputesOf',
  'submitEvidence',
  'acceptDispute',
] as const satisfies readonly (keyof Connector)[]

/** Runs one call to a provider and observes it. */
export type Observe = <Result>(operation: string, call: () => Promise<Result>) => Promise<Result>

/** The same connector, with each of its calls observed. Functions that it lacks stay absent. */
export function measureCalls(connector: Connector, observe: Observe): Connector {
  const measured: Record<string, unknown> = { ...connector }
  for (const operation of operations) {
    // Every listed function takes what it needs as arguments and returns a promise.
    const run = connector[operation] as ((...args: unknown[]) => Promise<unknown>) | undefined
    if (run) measured[operation] = (...args: unknown[]) => observe(operation, () => run(...args))
  }
  return measured as unknown as Connector // the same functions, each behind `observe`
}
