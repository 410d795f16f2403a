interface Section {
  name: string
  description: string
}

/** The sections of the reference page, in the order in which an integrator needs them. */
export const sections: readonly Section[] = [
  {
    name: 'Payment initiation',
    description:
      'Begin a payin, a payout or a ramp. The answer tells what the payer has to do next; the outcome follows as an event.',
  },
  { name: 'Payments', description: 'Read, cancel, review, confirm and refund payments.' },
  { name: 'Payout batches', description: 'Up to thousands of payouts in one call, as JSON or CSV.' },
  {
    name: 'Payment links',
    description: 'Pages on which a payer chooses how to pay, without an integration.',
  },
  { name: 'Transactions', description: 'Payments as rows, with filters, for lists and exports.' },
  { name: 'Analytics', description: 'Counts and volumes by day, currency and country.' },
  { name: 'Exchange rates', description: 'Quotes that a payment between two currencies refers to.' },
  { name: 'Networks', description: 'Mobile money networks and banks that can be paid to or from.' },
  { name: 'Catalogues', description: 'Roles, events, providers and banks, for forms and pickers.' },
  { name: 'Beneficiaries', description: 'People and companies that payouts go to.' },
  { name: 'Bank validation', description: 'Check an account before money is sent to it.' },
  {
    name: 'Virtual accounts',
    description: 'Accounts inside Switchyard that hold money of the organisation.',
  },
  { name: 'Escrow', description: 'Money that is held until the milestones of a contract are met.' },
  { name: 'Webhooks', description: 'Endpoints that receive events, their deliveries and replays.' },
  { name: 'API keys', description: 'Keys with which servers call the API.' },
  { name: 'Disputes', description: 'Chargebacks of payers, and the evidence against them.' },
  { name: 'Exceptions', description: 'What a person has to decide because no rule can.' },
  { name: 'Ledger', description: 'The transfers of the ledger, and its corrections, which two people make.' },
  {
    name: 'Provider configurations',
    description:
      'Which provider serves which method, country and currency, with which account and credentials.',
  },
  {
    name: 'Routing',
    description: 'How payments choose among the providers that can carry them, and how those are doing.',
  },
  { name: 'Screening', description: 'Wallet addresses that may or may not receive crypto.' },
  { name: 'Provider webhooks', description: 'Addresses at which providers report. You do not call them.' },
  { name: 'Organisations', description: 'Organisations and their verification.' },
  { name: 'Privacy', description: 'Erasing people on request, and holds that forbid it.' },
  { name: 'Members', description: 'The people of an organisation, and invitations.' },
  { name: 'Permissions', description: 'What a member may do beyond or below the role.' },
  {
    name: 'Approvals',
    description: 'What needs a second person: payouts from an amount on, and sensitive changes.',
  },
  { name: 'Balances', description: 'What an organisation owns at the moment, and how far it may go below.' },
  { name: 'Fees', description: 'Fee schedules, quotes and sums.' },
  { name: 'Users', description: 'The caller and the users of the organisation.' },
  { name: 'Notifications', description: 'The inbox of a member, and verification requests.' },
  { name: 'Platform', description: 'The state of the installation, for its operator.' },
  { name: 'Health', description: 'For load balancers.' },
]
