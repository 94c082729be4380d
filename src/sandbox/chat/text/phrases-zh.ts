// Chinese sentences of the offline text generator. {t} is the topic.

type Phrases = readonly [string, ...string[]];

export const chineseGreetings: Phrases = [
  '你好{name}！今天我能帮你做些什么？😊',
  '您好{name}，很高兴见到你！想聊点什么呢？',
  '你好{name}！我随时准备好了，请说说你的问题。',
];

export const chineseOpeners: Phrases = [
  '关于“{t}”，我们可以先从最基本的情况说起。',
  '这是个好问题。说到“{t}”，最重要的是先弄清目标。',
  '好的，我来简单谈谈“{t}”。',
];

export const chineseBodies: Phrases = [
  '很多人一开始会忽略细节，结果后来要花更多的时间去弥补。',
  '实际操作时，建议一次只改变一个因素，这样更容易看出效果。',
  '从历史上看，人们对“{t}”的理解是逐步加深的。',
  '不同的场合有不同的做法，没有一种方法适用于所有情况。',
  '如果条件有限，可以先做最简单的版本，再慢慢改进。',
  '把想法写下来，往往能让思路变得更清楚。',
  '与其追求完美，不如尽快得到反馈。',
  '“{t}”之所以有趣，正是因为简单的规则能产生丰富的结果。',
  '不妨听听有经验的人怎么说，他们的教训很有参考价值。',
  '需要注意的是，数据和感觉并不总是一致。',
];

export const chineseClosers: Phrases = [
  '如果你愿意，可以告诉我更多的背景，我再给出更具体的建议。',
  '希望这些内容对你有帮助！✨',
  '需要我把它整理成一份清单吗？',
];
