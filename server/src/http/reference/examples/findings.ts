import { sample, type Examples } from './example.ts'

/** What people decide about findings, payments in doubt and disputes. */
export const findingExamples: Examples = {
  'disputes.addEvidence': {
    'Texts and a receipt': {
      texts: {
        product_description: 'A chair, delivered on 3 March',
        customer_name: 'Ann Lee',
        notes: 'Delivered and signed for.',
      },
      files: [{ purpose: 'receipt', name: 'receipt.pdf', content: 'JVBERi0xLjQgYSByZWNlaXB0' }],
    },
  },
  'exceptions.assignDeposit': {
    'To the account that it was meant for': {
      account_id: sample.account_id,
      comment: 'The payer mistyped the last digit.',
    },
  },
  'exceptions.returnDeposit': {
    'It went back': { comment: 'Returned by the bank on 3 March, reference 4711.' },
  },
  'exceptions.releaseMoney': {
    'It is yours': { outcome: 'kept', comment: 'The customer was paid by hand on 3 March.' },
  },
  'payments.resolve': {
    'It was paid': {
      outcome: 'completed',
      evidence: 'The statement of 2 March shows it as paid, line 4711.',
      provider_reference: 'TRF_1ptvuv321ahaa7q',
    },
    'A payout that came back': {
      outcome: 'returned',
      evidence: 'The recipient’s bank returned it on 5 March, line 12 of the statement.',
    },
  },
  'refunds.resolve': {
    'It did not reach the payer': {
      outcome: 'failed',
      evidence: 'The support of the provider confirmed on 5 March that it was not sent.',
    },
  },
}
