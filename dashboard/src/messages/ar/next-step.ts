import type { Translated } from '../translated.ts'
import type { nextStep as english } from '../en/next-step.ts'

/** What a payer has to do next, on the screen of a payment that was just started. */
export const nextStep: Translated<typeof english> = {
  titles: {
    redirect: 'يتابع الدافع في صفحة أخرى',
    pay_by_link: 'يتابع الدافع في صفحة أخرى',
    wait: 'يؤكّد الدافع على هاتفه',
    bank_transfer: 'يحوّل الدافع المال',
    make_transfer: 'يُجري العميل التحويل',
    collect_otp: 'استلم الدافع رمز الاستخدام الواحد',
  },
  other: 'الخطوة التالية',
  redirectText: 'افتح الصفحة أو أرسل عنوانها إلى الدافع.',
  open: 'فتح الصفحة',
  address: 'عنوان الصفحة',
  waitText: 'لا شيء مطلوب هنا. تعرض هذه الصفحة النتيجة فور معرفتها.',
  transferText: 'انقل هذه البيانات كما هي. تكتمل الدفعة حين يصل المال.',
  otpText: 'اطلبه من الدافع. يُرسل إلى المزوّد ولا يُحفظ.',
  otp: 'رمز الاستخدام الواحد',
  submitOtp: 'إرسال الرمز',
  resend: 'إعادة الإرسال',
  resent: 'رمز جديد في الطريق.',
  details: {
    account_name: 'اسم صاحب الحساب',
    account_number: 'رقم الحساب',
    bank_name: 'المصرف',
    bank_code: 'رمز المصرف',
    sort_code: 'رمز الفرع (Sort code)',
    iban: 'رقم الآيبان',
    wallet_address: 'عنوان المحفظة',
    network: 'الشبكة',
    memo: 'المذكّرة',
    reference: 'المرجع',
    amount: 'المبلغ',
    expires_at: 'حتى',
  },
}
