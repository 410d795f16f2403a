/** Words of the API that several screens show. */
export const terms = {
  paymentStatus: {
    initiated: 'Waiting for approval',
    reviewed: 'Approved once',
    confirmed: 'Approved',
    processing: 'Processing',
    pending: 'Waiting for payer',
    completed: 'Completed',
    failed: 'Failed',
    refunded: 'Refunded',
    rejected: 'Rejected',
    canceled: 'Canceled',
  },
  direction: { inbound: 'Incoming', outbound: 'Outgoing', external: 'External' },
  method: {
    bank_transfer: 'Bank transfer',
    card: 'Card',
    mobile_money: 'Mobile money',
    crypto: 'Crypto',
    wallet: 'Wallet',
  },
} as const
