import type { Translated } from '../translated.ts'
import type { exceptionKinds as englishKinds, exceptions as englishExceptions } from '../en/exceptions.ts'

export const exceptions: Translated<typeof englishExceptions> = {
  title: 'Exceptions',
  kind: 'Type',
  status: 'Statut',
  statuses: { open: 'Ouverte', closed: 'Close' },
  mine: 'Attribuée à',
  me: 'Moi',
  summary: 'Constat',
  held: 'Retenu',
  assignee: 'Attribuée à',
  nobody: 'personne',
  since: 'Signalée',
  empty: 'Aucune exception',
  emptyText: 'Ce que le service ne doit pas décider seul apparaît ici, par exemple un paiement incertain.',
}

/** What each kind is called, and what it means. */
export const exceptionKinds: Translated<typeof englishKinds> = {
  outcome_unknown: {
    name: 'Résultat inconnu',
    meaning:
      'Le prestataire a peut-être exécuté le paiement, ou peut-être pas. Le paiement n’est ni renvoyé ni déclaré échoué.',
  },
  pending_too_long: {
    name: 'En attente depuis trop longtemps',
    meaning: 'Le prestataire a le paiement et ne dit pas depuis une semaine ce qu’il est devenu.',
  },
  late_success: {
    name: 'Succès tardif',
    meaning: 'Un paiement qui avait échoué a finalement été payé et est maintenant effectué.',
  },
  reversed_after_completion: {
    name: 'Contre-passé après exécution',
    meaning: 'Le prestataire a repris un paiement qu’il avait déclaré effectué.',
  },
  payin_reversed: {
    name: 'Encaissement contre-passé',
    meaning: 'L’argent est retourné au payeur et votre solde a été débité.',
  },
  payout_returned: {
    name: 'Versement retourné',
    meaning: 'La banque du destinataire a retourné un versement.',
  },
  returned_to_account: {
    name: 'Retourné sur le compte',
    meaning: 'Un retrait est revenu et a été crédité sur son compte virtuel.',
  },
  money_after_end: {
    name: 'Argent reçu après la fin',
    meaning: 'De l’argent est arrivé pour un paiement déjà terminé.',
  },
  amount_differs: {
    name: 'Montant différent',
    meaning: 'Le prestataire annonce un autre montant que celui du paiement.',
  },
  resolution_contradicted: {
    name: 'Décision contredite',
    meaning: 'Le prestataire contredit ce que deux personnes ont décidé au sujet d’un paiement.',
  },
  refund_unknown: {
    name: 'Remboursement incertain',
    meaning: 'Nul ne sait si le remboursement a été exécuté.',
  },
  refund_elsewhere: {
    name: 'Remboursement fait ailleurs',
    meaning: 'Un remboursement a été fait directement chez le prestataire.',
  },
  refund_unmatched: {
    name: 'Remboursement sans correspondance',
    meaning: 'Le prestataire annonce un remboursement qui ne correspond à aucun des nôtres.',
  },
  refund_exceeds_payment: {
    name: 'Remboursement supérieur au paiement',
    meaning: 'Le montant remboursé chez le prestataire dépasse celui du paiement.',
  },
  refund_after_failure: {
    name: 'Remboursement après échec',
    meaning: 'Un remboursement qui avait échoué a finalement été exécuté.',
  },
  refund_reversed: {
    name: 'Remboursement contre-passé',
    meaning: 'Un remboursement effectué est revenu.',
  },
  negative_balance: { name: 'Solde négatif', meaning: 'Le solde est inférieur à sa limite.' },
  dispute_of_unpaid: {
    name: 'Litige sur un paiement non payé',
    meaning: 'Un payeur conteste un paiement qui n’est pas effectué ici.',
  },
  dispute_of_ramp: { name: 'Litige sur une rampe', meaning: 'Un payeur conteste le paiement d’une rampe.' },
  dispute_contradicted: {
    name: 'Litige contradictoire',
    meaning: 'Les messages au sujet d’un litige ne concordent pas.',
  },
  dispute_currency: {
    name: 'Litige dans une autre devise',
    meaning: 'Un litige a entraîné un mouvement d’argent dans une autre devise.',
  },
  dispute_exceeds_payment: {
    name: 'Litige supérieur au paiement',
    meaning: 'Un litige et des remboursements ont rendu ensemble plus que le montant payé.',
  },
  dispute_of_refunded: {
    name: 'Litige sur un paiement remboursé',
    meaning: 'Un payeur conteste un paiement déjà remboursé : il pourrait être remboursé deux fois.',
  },
  dispute_action_unknown: {
    name: 'Réponse incertaine',
    meaning: 'Nul ne sait si le prestataire a reçu notre réponse à un litige.',
  },
  ramp_underpaid: { name: 'Rampe sous-payée', meaning: 'Il est arrivé moins que ce que la rampe exige.' },
  ramp_overpaid: { name: 'Rampe surpayée', meaning: 'Il est arrivé plus que ce que la rampe exige.' },
  ramp_paid_late: {
    name: 'Rampe payée en retard',
    meaning: 'L’argent est arrivé après l’expiration de la rampe.',
  },
  ramp_paid_again: { name: 'Rampe payée deux fois', meaning: 'Une rampe a été payée une seconde fois.' },
  ramp_not_delivered: {
    name: 'Rampe non livrée',
    meaning: 'L’argent est arrivé et n’a pas pu être versé.',
  },
  ramp_unknown: {
    name: 'Rampe incertaine',
    meaning: 'Nul ne sait ce qu’est devenu un volet de la rampe.',
  },
  ramp_amount_differs: {
    name: 'Montant de rampe différent',
    meaning: 'Le prestataire annonce un autre montant que celui du volet.',
  },
  ramp_reversed: { name: 'Rampe contre-passée', meaning: 'Un volet effectué de la rampe a été repris.' },
  ramp_money_after_end: {
    name: 'Argent reçu après la fin d’une rampe',
    meaning: 'De l’argent est arrivé pour une rampe déjà terminée.',
  },
  change_control_off: {
    name: 'Contrôle des modifications désactivé',
    meaning: 'Le seul administrateur d’une organisation a désactivé l’exigence d’une seconde personne.',
  },
  unknown_reference: {
    name: 'Référence inconnue',
    meaning: 'Un message du prestataire désigne un paiement inconnu ici.',
  },
  message_from_other_account: {
    name: 'Message d’un autre compte',
    meaning: 'Un compte a envoyé un message au sujet d’un paiement d’un autre compte.',
  },
  reconciliation_failed: {
    name: 'Rapprochement échoué',
    meaning: 'La liste d’un compte prestataire n’a pas pu être lue.',
  },
  reversal_missed: {
    name: 'Contre-passation manquée',
    meaning: 'La liste du prestataire contient une contre-passation qui n’a pas été signalée.',
  },
  refund_missed: {
    name: 'Remboursement manqué',
    meaning: 'La liste du prestataire contient un remboursement qui n’a pas été signalé.',
  },
  deposit_taken_back: {
    name: 'Dépôt repris',
    meaning: 'Le prestataire a repris un dépôt déjà crédité sur un compte virtuel.',
  },
  deposit_missed: {
    name: 'Dépôt manqué',
    meaning: 'La liste du prestataire contient un dépôt qui n’a pas été signalé.',
  },
  missing_here: {
    name: 'Absent ici',
    meaning: 'La liste du prestataire contient un paiement inconnu ici.',
  },
  missing_there: {
    name: 'Absent chez le prestataire',
    meaning: 'Un de nos paiements ne figure pas dans la liste du prestataire.',
  },
  state_differs: {
    name: 'État différent',
    meaning: 'La liste du prestataire donne à un paiement un autre état que le nôtre.',
  },
  escrow_payout_failed: {
    name: 'Versement de séquestre échoué',
    meaning: 'La part d’un jalon n’a pas pu être versée.',
  },
  unmatched_deposit: {
    name: 'Dépôt non identifié',
    meaning:
      'De l’argent est arrivé sans compte virtuel correspondant. Il est retenu jusqu’à ce qu’une personne décide.',
  },
}
