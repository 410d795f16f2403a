import type { Translated } from '../translated.ts'
import type { terms as english } from '../en/terms.ts'

/** Words of the API that several screens show. */
export const terms: Translated<typeof english> = {
  paymentStatus: {
    initiated: 'À espera de aprovação',
    reviewed: 'Aprovado uma vez',
    confirmed: 'Aprovado',
    processing: 'Em processamento',
    pending: 'À espera do pagador',
    completed: 'Concluído',
    failed: 'Falhado',
    refunded: 'Reembolsado',
    rejected: 'Rejeitado',
    canceled: 'Cancelado',
  },
  provider: {
    adyen: 'Adyen',
    circle: 'Circle',
    flutterwave: 'Flutterwave',
    manual: 'Manual',
    mpesa: 'M-Pesa',
    pawapay: 'pawaPay',
    paystack: 'Paystack',
    stripe: 'Stripe',
    truelayer: 'TrueLayer',
    yellowcard: 'Yellow Card',
  },
  disputeState: {
    warning: 'Pergunta do banco',
    needs_response: 'Requer resposta',
    under_review: 'Em análise',
    won: 'Ganha',
    lost: 'Perdida',
    accepted: 'Aceite',
  },
  direction: { inbound: 'Entrada', outbound: 'Saída', external: 'Externo' },
  method: {
    bank_transfer: 'Transferência bancária',
    card: 'Cartão',
    mobile_money: 'Dinheiro móvel',
    crypto: 'Cripto',
    wallet: 'Carteira',
  },
}
