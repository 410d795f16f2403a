import type { Translated } from '../translated.ts'
import type { home as english } from '../en/home.ts'

export const home: Translated<typeof english> = {
  greeting: 'À traiter',
  exceptions: 'Exceptions ouvertes',
  exceptionsHint: 'Constats qu’une personne doit traiter',
  approvals: 'Paiements à approuver',
  approvalsHint: 'Versements en attente d’une première ou d’une seconde approbation',
  disputes: 'Litiges à traiter',
  disputesHint: 'Échéance sous une semaine',
  matches: 'Correspondances de sanctions',
  matchesHint: 'Des paiements attendent une décision',
  deadLetters: 'Envois abandonnés',
  deadLettersHint: 'Webhooks abandonnés après toutes les tentatives',
  notices: 'Avis non lus',
  noticesHint: 'Dans votre boîte de réception',
  nothing: 'Vous n’avez rien à traiter.',
  trends: 'Sept derniers jours',
  trendsEmpty: 'Aucun paiement ces sept derniers jours.',
  currency: 'Devise',
  payments: 'Paiements',
  volume: 'Volume',
  success: 'Taux de réussite',
  perDay: 'Par jour',
  failures: 'Échecs récents',
  failuresEmpty: 'Aucun paiement n’a échoué.',
  allFailures: 'Tous les paiements échoués',
}
