import type { Translated } from '../translated.ts'
import type { reconciliation as english } from '../en/reconciliation.ts'
import { pluralsOf } from '../plural.ts'

const plural = pluralsOf('fr')

export const reconciliation: Translated<typeof english> = {
  title: 'Rapprochement',
  provider: 'Prestataire',
  status: 'Statut',
  statuses: { completed: 'Rapproché', failed: 'Échoué' },
  origin: 'Exécution',
  origins: { nightly: 'Chaque nuit', requested: 'Demandé par' },
  since: 'Depuis',
  checked: 'Rapprochés',
  findings: 'Écarts',
  finished: 'Terminé',
  empty: 'Aucun rapprochement pour le moment',
  emptyText: 'Chaque nuit, nos paiements sont rapprochés des listes des prestataires utilisés.',
  run: {
    button: 'Rapprocher maintenant',
    title: 'Rapprocher maintenant avec un prestataire',
    text: 'Les écarts deviennent des exceptions. Rien de ce qui a été payé n’est renvoyé.',
    since: 'Paiements depuis',
  },
  result: 'Résultat du rapprochement',
  none: (count: number) =>
    plural(count, {
      one: '# paiement rapproché, aucun écart constaté.',
      many: '# de paiements rapprochés, aucun écart constaté.',
      other: '# paiements rapprochés, aucun écart constaté.',
    }),
  kind: 'Écart',
  reference: 'Référence',
  summary: 'Constat',
  openExceptions: 'Exceptions ouvertes',
}
