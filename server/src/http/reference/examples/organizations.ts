import { sample, type Examples } from './example.ts'

const admin = {
  user_id: 'auth0|6650f1c3',
  email: 'esi@example.com',
  first_name: 'Esi',
  last_name: 'Owusu',
}

export const organizationExamples: Examples = {
  'organizations.create': { 'With its first administrator': { name: 'Accra Aid', country: 'GH', admin } },
  'organizations.update': { Branding: { name: 'Accra Aid Ltd', brand_color: '#0b6e4f' } },
  'kyb.initiate': {
    'The company only': {
      company: { legal_name: 'Accra Aid Ltd', registration_number: 'CS 123456', country: 'GH' },
    },
  },
  'members.create': {
    'A member of staff': {
      user_id: 'auth0|6650f1c4',
      email: 'kofi@example.com',
      first_name: 'Kofi',
      last_name: 'Mensah',
      role: 'staff',
    },
  },
  'members.update': { 'Another role': { role: 'viewer', country: 'GH' } },
  'invitations.create': { 'A viewer': { email: 'nia@example.com', role: 'viewer' } },
  'permissions.grant': { 'One permission': { permissions: ['payments:write'] } },
  'permissions.set': { 'Two permissions': { permissions: ['payments:read', 'beneficiaries:read'] } },
  'permissions.revoke': { 'One permission': { permissions: ['payments:read'] } },
  'routingSimulations.create': {
    'Card payins by success rate': {
      policy: {
        rules: [
          {
            name: 'Card payins',
            when: { direction: 'payin', method: ['card'] },
            strategy: {
              type: 'success_rate',
              exploration_percent: 5,
              daily_limit: 200,
              hysteresis_percent: 2,
            },
          },
        ],
        otherwise: { type: 'priority' },
      },
      from: '2026-10-01T00:00:00.000Z',
    },
  },
  'maintenanceWindows.create': {
    'Two hours at night': {
      account_id: sample.account_id,
      starts_at: '2036-03-01T01:00:00.000Z',
      ends_at: '2036-03-01T03:00:00.000Z',
      reason: 'The provider upgrades its core system',
    },
  },
  'suspensions.create': {
    'An organisation': {
      kind: 'organization',
      subject_id: sample.org_id,
      reason: 'Its administrator reports a stolen key',
    },
  },
  'suspensions.lift': { 'After an inquiry': { reason: 'The key was revoked' } },
  'erasures.request': {
    'By e-mail address': { email: 'ama@example.com', reason: 'Request 2026-114' },
    'By phone number': { phone: '+233241234567', reason: 'Request 2026-115' },
  },
  'screening.clearMatch': { 'Another person': { reason: 'Compared the passports: another date of birth.' } },
  'screening.confirmMatch': { 'The same person': { reason: 'Name, date of birth and passport agree.' } },
  'legalHolds.create': {
    'A payment': { subject: 'payment', subject_id: sample.transaction_id, reason: 'Case 14/2026' },
  },
  'approvalPolicies.set': {
    'From GBP 1,000, and from 3,000 a day': {
      policies: [{ currency: 'GBP', payout_from: 1000, daily_from: 3000 }],
    },
  },
  'changeControl.set': { 'Switch it on': { enabled: true } },
  'changeRequests.approve': { 'With a comment': { comments: 'Agreed by phone' } },
  'changeRequests.reject': { 'With a comment': { comments: 'Not agreed' } },
  'creditLimits.set': { 'One currency': { limits: [{ currency: 'NGN', amount: 50000 }] } },
  'feeSchedules.create': {
    'Card payins of one organisation': {
      org_id: sample.org_id,
      label: 'Card payins',
      direction: 'payin',
      payment_method: 'card',
      currency: 'GBP',
      percent: 1.5,
      fixed: 0.2,
      maximum: 50,
    },
  },
  'screening.setAddress': { Deny: { verdict: 'deny', reason: 'On the list of a partner' } },
  'ledgerAdjustments.create': {
    'An opening balance': {
      org_id: sample.org_id,
      debit: 'opening',
      credit: 'available',
      currency: 'NGN',
      amount: 12.5,
      reason: 'The balance of the system that was used before',
    },
  },
  'exceptions.assign': { 'To a member': { user_id: sample.user_id } },
  'exceptions.addNote': { 'A note': { note: 'Asked the support of the provider, ticket 4711' } },
  'exceptions.close': { 'With its resolution': { resolution: 'The provider corrected its statement' } },
  'providerConfigs.create': {
    'Card payins in Nigeria': {
      provider: 'paystack',
      country: 'NG',
      payment_method: 'card',
      direction: 'inbound',
      priority: 10,
    },
  },
  'providerConfigs.update': { 'A higher priority': { priority: 1, is_active: true } },
  'routingPolicies.draft': {
    'Cards by success rate, the rest split': {
      document: {
        rules: [
          {
            name: 'Cards in Nigeria',
            when: { direction: 'payin', method: ['card'], country: ['NG'] },
            strategy: {
              type: 'success_rate',
              exploration_percent: 5,
              daily_limit: 200,
              hysteresis_percent: 2,
            },
          },
        ],
        otherwise: {
          type: 'split',
          shares: [
            { provider: 'paystack', percent: 70 },
            { provider: 'flutterwave', percent: 30 },
          ],
        },
      },
      note: 'Try Flutterwave with a part of the volume',
    },
  },
  'routingPolicies.publish': { 'Your organisation’s': {} },
  'routingPolicies.rollback': { 'Your organisation’s': {} },
  'routingPolicies.withdraw': { 'Your organisation’s': {} },
  'providerCredentials.set': { 'Keys of Paystack': { credentials: { secretKey: 'sk_live_…' } } },
  'providerCredentials.check': { 'The only account': {} },
  'providerAccounts.create': {
    'An account at Paystack': {
      provider: 'paystack',
      label: 'Lagos',
      credentials: { secretKey: 'sk_live_…' },
    },
  },
  'providerAccounts.setCredentials': { 'New keys': { credentials: { secretKey: 'sk_live_…' } } },
  'providerAccounts.update': { 'Another label': { label: 'Main account' } },
  'reconciliation.run': { 'Since a time': { provider: 'paystack', since: '2026-11-01T00:00:00Z' } },
}
