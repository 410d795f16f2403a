import type { Translated } from '../translated.ts'
import type { payments as english } from '../en/payments.ts'
import { pluralsOf } from '../plural.ts'

const plural = pluralsOf('fr')

export const payments: Translated<typeof english> = {
  title: 'Paiements',
  search: 'Rechercher',
  searchHint: 'Identifiant, référence, nom, e-mail, montant',
  country: 'Pays',
  minAmount: 'Montant minimal',
  maxAmount: 'Montant maximal',
  from: 'Créé du',
  to: 'Créé jusqu’au',
  updatedSince: 'Modifié depuis',
  party: 'Payeur ou destinataire',
  status: 'Statut',
  direction: 'Sens',
  method: 'Moyen',
  currency: 'Devise',
  reference: 'Référence',
  created: 'Créé',
  amount: 'Montant',
  provider: 'Prestataire',
  noProvider: 'non routé',
  empty: 'Aucun paiement pour le moment',
  emptyText: 'Les paiements apparaissent ici dès que votre intégration ou un lien de paiement en initie un.',
  newPayments: (count: number) =>
    plural(count, {
      one: 'Afficher # nouveau paiement',
      many: 'Afficher # de nouveaux paiements',
      other: 'Afficher # nouveaux paiements',
    }),
}
