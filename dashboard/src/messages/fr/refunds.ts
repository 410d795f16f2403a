import type { Translated } from '../translated.ts'
import type { refunds as english } from '../en/refunds.ts'

export const refunds: Translated<typeof english> = {
  title: 'Remboursements',
  amount: 'Montant',
  debit: 'Débité de votre solde',
  status: 'Statut',
  statuses: { processing: 'En cours', completed: 'Effectué', failed: 'Échoué' },
  origin: 'Origine',
  origins: { api: 'Ici', provider: 'Chez le prestataire' },
  reason: 'Motif',
  provider: 'Prestataire',
  currency: 'Devise',
  created: 'Créé',
  empty: 'Aucun remboursement pour le moment',
  emptyText:
    'Les remboursements de tous les paiements apparaissent ici, y compris ceux qui ont été faits chez un prestataire.',
}
