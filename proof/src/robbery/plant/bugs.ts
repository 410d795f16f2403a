import type { Edit } from '../../payments/plant/bug.ts'
import type { JudgeName } from '../judges/judge.ts'

/** An old hole, opened again in the memory of the programs. Production code has no switch for any of them. */
export type Bug = {
  readonly name: string
  /** The judges that may catch it; the attacks that they notice are played. */
  readonly expects: readonly JudgeName[]
  readonly edits: readonly Edit[]
}

export const bugs: readonly Bug[] = [
  {
    name: 'a message of any account is applied',
    expects: ['confirmed by nobody'],
    edits: [
      {
        file: 'domains/after/provider-webhooks/receive-webhook.ts',
        from: 'else if (subject.accountId === delivery.account.accountId) await subject.receive()',
        to: `else if (subject.orgId === delivery.account.orgId || subject.accountId === delivery.account.accountId)
      await subject.receive()`,
      },
    ],
  },
  {
    name: 'a deposit is credited whoever reports it',
    expects: ['confirmed by nobody'],
    edits: [
      {
        file: 'domains/products/virtual-accounts/deposits/receive-deposit.ts',
        from: 'numbered.filter((one) => one.providerAccountId === account.accountId)',
        to: 'numbered.filter(() => true)',
      },
    ],
  },
  {
    name: 'a payout needs no balance',
    expects: ['operator loses', 'below the limit'],
    edits: [
      {
        file: 'domains/payments/lifecycle/build-postings.ts',
        from: "debit === account.available('pooled')",
        to: "debit === ''",
      },
    ],
  },
  {
    name: 'a payout needs no verification',
    expects: ['unverified'],
    edits: [
      {
        file: 'domains/people/organizations/reads.ts',
        from: `if (payoutsRequireKyb && kybStatus !== 'approved') throw payoutsClosed()`,
        to: `if (payoutsRequireKyb && kybStatus === 'none') throw payoutsClosed()`,
      },
    ],
  },
  {
    name: 'the operator’s wallet delivers against fiat in any account',
    expects: ['ramp without collection'],
    edits: [
      {
        file: 'domains/products/ramps/choose-ramp-route.ts',
        from: `custody: {
        required: 'pooled',
        why: 'the operator’s wallet delivers only against the operator’s accounts',
      },`,
        to: 'custody: undefined,',
      },
    ],
  },
  {
    name: 'an organisation’s configuration lifts the operator’s bounds',
    expects: ['outside the bounds'],
    edits: [
      {
        file: 'domains/payments/initiation/choose-route.ts',
        from: 'if (isOutOfBounds(config, source, attempt.amount)) return { config, reason: outsideBounds }',
        to: '',
      },
    ],
  },
  {
    name: 'money moves between custodies by a transfer',
    expects: ['operator loses'],
    edits: [
      {
        file: 'domains/products/virtual-accounts/transactions/transfer-money.ts',
        from: 'if (to.custody !== from.custody) throw otherCustody()',
        to: '',
      },
    ],
  },
  {
    name: 'an approved payout is routed without regard to its custody',
    expects: ['operator loses'],
    edits: [
      {
        file: 'domains/payments/initiation/check-payout.ts',
        from: 'custody: payment.custody === null ? undefined : { required: payment.custody, why: otherCustody },',
        to: '',
      },
    ],
  },
  {
    name: 'anybody gets a new secret for any key of the organisation',
    expects: ['four eyes'],
    edits: [
      {
        file: 'domains/people/api-keys/rotate-api-key.ts',
        from: 'if (old.userId !== caller.userId) throw keyOfAnotherMember()',
        to: '',
      },
    ],
  },
  {
    name: 'a policy compares the source currency only',
    expects: ['four eyes'],
    edits: [
      {
        file: 'domains/pricing/approval-policies/rules.ts',
        from: '[source, target].some((side) => {',
        to: '[source].some((side) => {',
      },
      {
        file: 'domains/pricing/approval-policies/rules.ts',
        from: 'if (policies.some((other) => other.currency === currency)) return',
        to: 'if (policies.length > 0) return',
      },
    ],
  },
  {
    name: 'a policy knows no daily sum',
    expects: ['four eyes'],
    edits: [
      {
        file: 'domains/payments/initiation/write-payment.ts',
        from: 'approval.dailyLimits.map(',
        to: 'approval.dailyLimits.slice(0, 0).map(',
      },
    ],
  },
  {
    name: 'the person who asked for a change approves it',
    expects: ['four eyes'],
    edits: [
      {
        file: 'domains/people/change-requests/rules.ts',
        from: 'if (caller.userId === request.requestedBy)',
        to: `if (caller.userId === '')`,
      },
      // The database refuses an approval by the person who asked, too.
      {
        file: 'domains/people/change-requests/record-decision.ts',
        from: 'decidedBy: caller.userId,',
        to: `decidedBy: 'nobody',`,
      },
    ],
  },
  {
    name: 'an administrator is added by one person',
    expects: ['four eyes'],
    edits: [
      {
        file: 'domains/people/organizations/members/add-member.ts',
        from: 'if (held) return { held }',
        to: 'if (held && caller.userId === "") return { held }',
      },
    ],
  },
  {
    name: 'the person who started a manual payment confirms it',
    expects: ['confirmed alone'],
    edits: [
      {
        file: 'domains/payments/actions/confirm-payment.ts',
        from: 'if (payment.userId === caller.userId)',
        to: `if (payment.userId === '')`,
      },
    ],
  },
  {
    name: 'a message of the provider counts as one of the account',
    expects: ['confirmed by nobody'],
    edits: [
      {
        file: 'domains/after/provider-webhooks/receive-attempt-update.ts',
        from: `if (delivery.verdict !== 'verified' || !(delivery.isAnswer || namesAmount(update))) {`,
        to: `if (delivery.verdict !== 'verified' && delivery.verdict !== 'provider') {`,
      },
    ],
  },
  {
    name: 'who has empowered whom is ignored',
    expects: ['empowered decided'],
    edits: [
      {
        file: 'domains/people/empowerments/rules.ts',
        from: 'if (one === other) return undefined',
        to: `if (one !== '') return undefined`,
      },
    ],
  },
  {
    name: 'two logins of one person are two people',
    expects: ['empowered decided'],
    edits: [
      {
        file: 'domains/people/empowerments/rules.ts',
        from: `if (!ofOne.isDisjointFrom(ofOther)) return 'common'`,
        to: '',
      },
    ],
  },
  {
    name: 'the second approval of a batch is not compared with the first',
    expects: ['empowered decided'],
    edits: [
      {
        file: 'domains/products/payout-batches/review-batch.ts',
        from: 'if (batch.reviewedBy !== seen.reviewedBy) throw reviewedMeanwhile()',
        to: '',
      },
    ],
  },
  {
    name: 'one operator alone is enough',
    expects: ['operator alone'],
    edits: [
      {
        file: 'domains/people/empowerments/rules.ts',
        from: 'return unrelated.length > 0',
        to: `if (asking !== '') return []
  return unrelated.length > 0`,
      },
    ],
  },
  {
    name: 'one operator and a friend at a customer are two people',
    expects: ['operator alone'],
    edits: [
      {
        file: 'domains/people/change-requests/reads.ts',
        from: 'return { isFirst: true, dependence: undefined }',
        to: 'return { isFirst: false, dependence: undefined }',
      },
    ],
  },
  {
    name: 'letters that cannot be seen disguise a name',
    expects: ['paid to a listed name'],
    edits: [
      {
        file: 'lib/names/romanise.ts',
        from: 'const unseen = /[\\p{M}\\p{Cf}]/u',
        to: 'const unseen = /\\p{M}/u',
      },
    ],
  },
  {
    name: 'the holder of a card is not screened',
    expects: ['paid to a listed name'],
    edits: [
      {
        file: 'domains/payments/reads/list-subjects.ts',
        from: 'payerAccount?.accountName, cardHolder',
        to: 'payerAccount?.accountName',
      },
    ],
  },
  {
    name: 'a refund costs the payment’s own rate for ever',
    expects: ['lost to a rate'],
    edits: [
      {
        file: 'domains/payments/refunds/price-refund.ts',
        from: 'if (!isExchanged(payment)) return null',
        to: `if (payment.orgId !== '') return null`,
      },
    ],
  },
]
