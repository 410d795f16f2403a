import type { Translated } from '../translated.ts'
import type { terms as english } from '../en/terms.ts'

/** Words of the API that several screens show. */
export const terms: Translated<typeof english> = {
  paymentStatus: {
    initiated: 'En attente d’approbation',
    reviewed: 'Approuvé une fois',
    confirmed: 'Approuvé',
    processing: 'En cours',
    pending: 'En attente du payeur',
    completed: 'Effectué',
    failed: 'Échoué',
    refunded: 'Remboursé',
    rejected: 'Rejeté',
    canceled: 'Annulé',
  },
  provider: {
    adyen: 'Adyen',
    circle: 'Circle',
    flutterwave: 'Flutterwave',
    manual: 'Manuel',
    mpesa: 'M-Pesa',
    pawapay: 'pawaPay',
    paystack: 'Paystack',
    stripe: 'Stripe',
    truelayer: 'TrueLayer',
    yellowcard: 'Yellow Card',
  },
  disputeState: {
    warning: 'Demande de la banque',
    needs_response: 'Réponse attendue',
    under_review: 'En cours d’examen',
    won: 'Gagné',
    lost: 'Perdu',
    accepted: 'Accepté',
  },
  direction: { inbound: 'Entrant', outbound: 'Sortant', external: 'Externe' },
  method: {
    bank_transfer: 'Virement bancaire',
    card: 'Carte',
    mobile_money: 'Mobile money',
    crypto: 'Crypto',
    wallet: 'Portefeuille',
  },
}
