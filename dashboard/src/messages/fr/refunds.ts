import type { Translated } from '../translated.ts'
import type { refunds as english } from '../en/refunds.ts'

export const refunds: Translated<typeof english> = {
  title: 'Remboursements',
  amount: 'Montant',
  debit: 'Débité de votre solde',
  status: 'Statut',
  statuses: {
    awaiting_approval: 'En attente d’approbation',
    processing: 'En cours',
    completed: 'Effectué',
    failed: 'Échoué',
  },
  origin: 'Origine',
  origins: { api: 'Ici', provider: 'Chez le prestataire' },
  reason: 'Motif',
  provider: 'Prestataire',
  currency: 'Devise',
  created: 'Créé',
  empty: 'Aucun remboursement pour le moment',
  emptyText:
    'Les remboursements de tous les paiements apparaissent ici, y compris ceux qui ont été faits chez un prestataire.',
  approveTitle: 'Approuver ce remboursement ?',
  rejectTitle: 'Rejeter ce remboursement ?',
  withdrawTitle: 'Retirer ce remboursement ?',
  approveFirst: 'Un administrateur doit aussi l’approuver. Rien n’est envoyé d’ici là.',
  approveSecond: 'C’est la seconde approbation. Le remboursement est envoyé aussitôt.',
  rejectText: 'Le remboursement s’arrête ici, rien n’est envoyé et son montant redevient disponible.',
  withdraw: 'Retirer',
  withdrawText: 'Rien n’est envoyé et son montant redevient disponible.',
  comment: 'Commentaire',
  approvedFirst: 'Approuvé. Un administrateur doit maintenant l’approuver.',
  approvedSecond: 'Approuvé. Le remboursement est en cours d’envoi.',
  rejectedDone: 'Rejeté. Rien n’a été remboursé.',
  withdrawnDone: 'Retiré. Rien n’a été remboursé.',
  overtaken: 'Quelqu’un d’autre a déjà décidé de ce remboursement.',
}
