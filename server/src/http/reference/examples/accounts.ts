import { sample, type Examples } from './example.ts'

export const accountExamples: Examples = {
  'virtualAccounts.create': {
    'A naira account': { org_id: sample.org_id, user_id: sample.user_id, currency: 'NGN' },
    'A euro account of a customer': {
      org_id: sample.org_id,
      user_id: sample.user_id,
      currency: 'EUR',
      customer_id: 'customer-7',
    },
  },
  'virtualAccounts.transfer': {
    'A book transfer': { to_account_id: sample.to_account_id, amount: 250.5, description: 'To reserves' },
  },
  'virtualAccounts.withdraw': {
    'To a beneficiary': { beneficiary_id: sample.beneficiary_id, amount: 300, reference: 'W-17' },
  },
  'virtualAccounts.freeze': { 'With a reason': { reason: 'A lost phone' } },
  'virtualAccounts.unfreeze': { 'With a reason': { reason: 'The phone was found' } },
  'escrows.create': { 'An escrow in naira': { name: 'Warehouse', currency: 'NGN' } },
  'escrows.fund': { 'From a virtual account': { account_id: sample.account_id, amount: 100 } },
  'escrows.cancel': { 'With a reason': { reason: 'The project was stopped' } },
  'escrowParties.create': {
    'Paid into an account': { name: 'Agent', account_id: sample.account_id },
    'Paid out to a beneficiary': { name: 'Builder', beneficiary_id: sample.beneficiary_id },
  },
  'milestones.create': {
    'With its splits': {
      label: 'Foundations',
      expected_disbursement: 1000,
      parties: [{ party_id: sample.party_id, split_value: 100 }],
    },
  },
  'milestones.update': { 'A new label': { label: 'Foundations and drainage', expected_disbursement: 1100 } },
  'milestones.setParties': {
    'Several splits': {
      parties: [{ party_id: sample.party_id, split_type: 'percentage', split_value: 92.5 }],
    },
  },
  'milestones.submitContract': {
    'A reference and an address': { reference: 'C-2026-17', url: 'https://example.com/contracts/17' },
  },
  'webhooks.create': {
    'Two event types': {
      endpoint_url: 'https://example.com/hook',
      events: ['payment.completed', 'payment.failed'],
      description: 'Orders',
    },
  },
  'webhooks.update': { Pause: { status: 'paused' } },
  'webhooks.test': { 'A completed payment': { event_type: 'payment.completed' } },
  'webhooks.recover': { 'Since a time': { since: '2026-11-01T00:00:00Z' } },
  'webhooks.notify': {
    'A change of your own': {
      org_id: sample.org_id,
      transaction_data: {
        transaction_id: sample.transaction_id,
        status: 'completed',
        amount: 1500.25,
        currency: 'NGN',
        updated_at: '2026-11-01T10:00:00Z',
      },
    },
  },
  'events.replay': { 'To one endpoint': { webhook_id: sample.webhook_id } },
  'deadLetters.replay': { 'Of one type': { event_type: 'payment.completed' } },
  'apiKeys.create': { 'For reading only': { name: 'Ledger export', scopes: ['payments:read'] } },
  'apiKeys.rotate': { 'With an overlap of an hour': { overlap_seconds: 3600 } },
}
