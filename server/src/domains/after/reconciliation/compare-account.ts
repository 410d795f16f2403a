import { installationOrgId } from '../../../kernel/db/vault.ts'
import { conflict } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import type { PaymentDeps } from '../../payments/record.ts'
import { countCompared } from './count-compared.ts'
import { compareListed } from './listed/compare-listed.ts'
import { findUnlisted } from './listed/find-unlisted.ts'
import { purgeListed } from './listed/purge-listed.ts'
import { recordListed } from './listed/record-listed.ts'
import type { ListProgress } from './listed/record.ts'
import { matchRefunds } from './match-refunds.ts'
import type { Account, ComparedAccount, Comparison, Difference, Tally } from './record.ts'
import { differencesLimit, refundMissed } from './rules.ts'

/** Younger transactions may legitimately be on one side only. */
export const settlingMs = 10 * 60_000
/** A provider that always names a further page must not be read forever. */
const piecesLimit = 1_000

/** Runs a part of the comparison, and remembers its result if the comparison is repeated. */
export type InStep = <T>(name: string, work: () => Promise<T>) => Promise<T>

interface ComparisonInput {
  since: Date
  /** Does what is to be done about differences, and names those that it has dealt with. */
  settle: (differences: readonly Difference[]) => Promise<string[]>
  /** The engine ends a step that takes too long, so that a long list is read in several. */
  inStep?: InStep
}

interface ComparisonResult {
  /** How many transactions were compared, by organisation. */
  checked: Map<string, number>
  settled: string[]
}

/** What a step returns. The engine stores it: no finding, which may have personal data. */
interface StepResult {
  checked: [orgId: string, count: number][]
  settled: string[]
  progress: ListProgress
}

/**
 * Compares the provider's list with our attempts, for all organisations that use the account. Both sides are read in
 * pieces, so that their length costs no memory.
 */
export async function compareAccount(
  deps: PaymentDeps,
  account: Account,
  { since, settle, inStep = (_name, work) => work() }: ComparisonInput,
): Promise<ComparisonResult> {
  const begun = await inStep('begin', async () => ({
    comparisonId: newId(),
    until: new Date((await deps.db.now()).getTime() - settlingMs).toISOString(),
  }))
  const comparison: Comparison = { ...begun, since, until: new Date(begun.until) }
  const total: ComparisonResult = { checked: new Map(), settled: [] }
  const add = ({ checked, settled, progress: reached }: StepResult): ListProgress => {
    for (const [orgId, count] of checked) total.checked.set(orgId, (total.checked.get(orgId) ?? 0) + count)
    total.settled.push(...settled)
    return reached
  }
  let progress: ListProgress = { cursor: null, recorded: 0 }
  for (let piece = 0; piece === 0 || progress.cursor !== null; piece++) {
    // With a partial list, every transaction on the rest would seem to be missing at the provider.
    if (piece === piecesLimit) throw conflict('The provider’s list has no end. Choose a later start.')
    const from = progress
    const list = (compared: ComparedAccount, tally: Tally): Promise<ListProgress> =>
      recordListed(compared, comparison, { from, tally })
    progress = add(await inStep(`list ${piece}`, () => inPiece(deps, account, { settle, work: list })))
  }
  const recorded = progress
  add(
    await inStep('compare', () =>
      inPiece(deps, account, {
        settle,
        async work(compared, tally) {
          await compareRecorded(compared, comparison, { recorded: recorded.recorded, tally })
          return recorded
        },
      }),
    ),
  )
  await inStep('purge', () => purgeListed(scopeOf(deps, account), comparison))
  return total
}

async function inPiece(
  deps: PaymentDeps,
  account: Account,
  {
    settle,
    work,
  }: {
    settle: ComparisonInput['settle']
    work: (compared: ComparedAccount, tally: Tally) => Promise<ListProgress>
  },
): Promise<StepResult> {
  const connector = await deps.connectors.load(account.ownerId, account.accountId)
  if (!connector?.listTransactions) throw conflict('This provider cannot list its transactions.')
  const differences: Difference[] = []
  const checked = new Map<string, number>()
  const onDifference = (difference: Difference): void => {
    if (differences.length < differencesLimit) differences.push(difference)
  }
  const progress = await work({ ...scopeOf(deps, account), connector }, { checked, onDifference })
  return { checked: [...checked], settled: await settle(differences), progress }
}

const scopeOf = (deps: PaymentDeps, account: Account): Omit<ComparedAccount, 'connector'> => ({
  account,
  inScope: (work) =>
    account.ownerId === installationOrgId ? deps.db.acrossOrgs(work) : deps.db.inOrg(account.ownerId, work),
})

async function compareRecorded(
  compared: ComparedAccount,
  comparison: Comparison,
  { recorded, tally }: { recorded: number; tally: Tally },
): Promise<void> {
  const { account, connector, inScope } = compared
  const refunds = (await connector.listRefunds?.({ since: comparison.since })) ?? []
  const seen = await compareListed(compared, comparison, tally)
  // Without these rows every payment on them would seem to be missing at the provider.
  if (seen !== recorded) throw new Error('the database lost what was read from the provider’s list')
  await findUnlisted(compared, comparison, tally)
  const missed = await inScope((tx) => matchRefunds(tx, account, { comparison, refunds }))
  for (const { refund, attempt } of missed)
    countCompared(tally, attempt?.orgId ?? account.ownerId, refundMissed(refund, attempt))
}
