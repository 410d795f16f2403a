import type { Translated } from '../translated.ts'
import type { terms as english } from '../en/terms.ts'

/** Words of the API that several screens show. */
export const terms: Translated<typeof english> = {
  paymentStatus: {
    initiated: 'في انتظار الموافقة',
    reviewed: 'موافقة أولى',
    confirmed: 'تمت الموافقة',
    processing: 'قيد المعالجة',
    pending: 'في انتظار الدافع',
    completed: 'مكتملة',
    failed: 'فاشلة',
    refunded: 'مستردة',
    rejected: 'مرفوضة',
    canceled: 'ملغاة',
  },
  provider: {
    adyen: 'Adyen',
    circle: 'Circle',
    flutterwave: 'Flutterwave',
    manual: 'يدويًا',
    mpesa: 'M-Pesa',
    pawapay: 'pawaPay',
    paystack: 'Paystack',
    stripe: 'Stripe',
    truelayer: 'TrueLayer',
    yellowcard: 'Yellow Card',
  },
  disputeState: {
    warning: 'استفسار المصرف',
    needs_response: 'بحاجة إلى رد',
    under_review: 'قيد المراجعة',
    won: 'كُسب',
    lost: 'خُسر',
    accepted: 'مقبول',
  },
  direction: { inbound: 'واردة', outbound: 'صادرة', external: 'خارجية' },
  method: {
    bank_transfer: 'تحويل مصرفي',
    card: 'بطاقة',
    mobile_money: 'المحفظة الهاتفية',
    crypto: 'عملات مشفّرة',
    wallet: 'محفظة',
  },
}
