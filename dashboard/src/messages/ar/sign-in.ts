import type { Translated } from '../translated.ts'
import type { signIn as english } from '../en/sign-in.ts'

export const signIn: Translated<typeof english> = {
  title: 'تسجيل الدخول إلى Switchyard',
  text: 'تتابع لدى مزوّد الهوية الخاص بمؤسستك.',
  button: 'تسجيل الدخول',
  signedOut: 'تم تسجيل خروجك.',
  errors: {
    expired: 'استغرق تسجيل الدخول وقتًا طويلًا أو بدأ في متصفح آخر. يُرجى تسجيل الدخول مجددًا.',
    refused: 'لم يؤكّد مزوّد الهوية هويتك. يُرجى تسجيل الدخول مجددًا.',
    'not-a-member': 'لست عضوًا في أي مؤسسة هنا. اطلب من مسؤول أن يدعوك.',
    'too-weak': 'يتطلب دورك تسجيل دخول أقوى، مثلًا بعامل ثانٍ. يُرجى تسجيل الدخول مرة أخرى بهذه الطريقة.',
    unavailable: 'مزوّد الهوية لا يستجيب حاليًا. يُرجى المحاولة بعد قليل.',
  },
}
