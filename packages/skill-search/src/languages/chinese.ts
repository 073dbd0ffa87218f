import { chineseLanguage } from './chinese-language.ts';
import type { SearchLanguage } from './search-language.ts';

/** Chinese requests and skills. */
export const chinese: SearchLanguage = /* @__PURE__ */ chineseLanguage(`
build:构建 搭建 编译; user:用户; create:创建 新建 建立 做一个; implement:实现; configure:配置 设置; setup:设置 安装; skill:技能; generate:生成; manage:管理; code:代码
design:设计; optimize:优化 调优; pattern:模式; agent:智能体 代理; application:应用 应用程序; app:应用; data:数据; write:写 编写 撰写; project:项目; file:文件; run:运行 执行
performance:性能; slow:慢 缓慢; fast:快 加速; system:系统; test:测试 检验; product:产品; service:服务; security:安全; safe:安全; model:模型; review:审查 评审
query:查询; issue:问题; debug:调试; deploy:部署; release:发布 版本; tool:工具; plan:计划 规划 制定; check:检查; verify:验证 核实; structure:结构; error:错误 报错
fail:失败; failure:故障 失败; outage:宕机 停机 故障; integrate:集成 接入; integration:集成; workflow:工作流 流程; trigger:触发; documentation:文档; document:文档 文件
analysis:分析; analyze:分析; request:请求; development:开发; developer:开发者 开发人员; strategy:策略 战略; task:任务; resource:资源; log:日志
troubleshoot:排查 故障排除; requirement:需求 要求; migrate:迁移; migration:迁移; ads:广告; advertising:广告 推广; campaign:活动 广告活动; metric:指标
operation:运维 操作; update:更新; upgrade:升级; source:来源 源; feature:功能; page:页面 网页; website:网站; home:首页; report:报告; change:修改 更改 变更
improve:改进 改善 提升; list:列表 清单; guide:指南; automate:自动 自动化; event:事件; type:类型; time:时间; realtime:实时; quality:质量; output:输出
infrastructure:基础设施; evaluate:评估 评价; connect:连接; connection:连接; component:组件; library:库 图书馆; local:本地; find:找 查找 寻找; monitor:监控 监视
fix:修复 解决; search:搜索 检索; engine:引擎; pipeline:流水线 管道; database:数据库; template:模板; edit:编辑; access:访问; marketing:营销 市场营销; market:市场
content:内容; control:控制; server:服务器; dependency:依赖 依赖包; package:包 软件包 打包; load:加载 负载; read:读取 阅读; cost:成本 费用; bill:账单; invoice:发票
price:价格; pricing:定价 价格; pay:付款 支付 付费; payment:支付 付款; subscription:订阅; cancel:取消; customer:客户 顾客; company:公司 企业; policy:策略 政策
authentication:身份验证 认证; login:登录; password:密码; key:密钥; secret:秘密 密钥; token:令牌; role:角色; permission:权限; text:文本 文字; copy:文案; clean:清理
cleanup:清理; enable:启用; onboarding:新手引导 入门 上手; detect:检测; environment:环境; interface:接口 界面; endpoint:端点; training:训练 培训; script:脚本
shell:命令行; browser:浏览器; track:跟踪 追踪; trace:跟踪 追踪; support:支持; help:帮助; open:打开 开放; extract:提取; publish:发布 发表; distributed:分布式
schema:模式 结构; prompt:提示词 提示; install:安装; convert:转换 转成; conversion:转化 转换; rate:率; language:语言; storage:存储 空间; store:存储 商店 保存; shop:商店
memory:内存 记忆; disk:磁盘 硬盘; space:空间; delete:删除; team:团队; mobile:移动 手机; phone:手机 电话; repository:仓库 代码库; branch:分支; merge:合并; conflict:冲突
commit:提交; default:默认; filter:过滤 筛选; choose:选择; decision:决策 决定; architecture:架构; record:记录; recording:录音 录制; speech:语音; audio:音频 录音
transcribe:转写 转成文字; transcript:记录稿 文字记录; meeting:会议; minutes:纪要; response:响应 回答; answer:回答; question:问题; bug:缺陷 漏洞; vulnerability:漏洞
attack:攻击; attacker:攻击者; threat:威胁; risk:风险; runtime:运行时; result:结果; module:模块; async:异步; concurrent:并发; parallel:并行; capture:捕获 截取
command:命令; link:链接; case:案例; image:图片 图像; picture:图片; diagram:图表; chart:图表; path:路径; style:风格 样式; profile:档案 画像; loop:循环; scale:扩展 伸缩
landing:落地页; assess:评估; understand:理解; domain:领域 域名; remote:远程; credential:凭据; account:账户 账号; alert:告警 警报; analytics:数据分析 统计
compliance:合规; privacy:隐私; personal:个人; law:法律 法规; gdpr:法规 隐私; contract:合同 合约; employee:员工; employment:雇佣 劳动; interview:访谈 采访
research:研究 调研; machine:机器; instruction:说明 指令; technical:技术; engineering:工程 技术; history:历史; historical:历史; cache:缓存; message:消息
table:表 表格 数据表; spreadsheet:表格 电子表格; formula:公式; email:邮件 电子邮件; switch:切换; step:步骤 一步; measure:测量 衡量; human:人 人类; refactor:重构
microservices:微服务; idea:想法 创意; dashboard:仪表板 看板; complex:复杂; usage:使用量 用量; limit:限制; form:表单; launch:发布 上线; approval:审批 批准; stage:阶段
feedback:反馈; layout:布局; note:笔记; video:视频 短片; crash:崩溃; backend:后端; frontend:前端; community:社区; queue:队列; compiler:编译器; prevent:防止 预防
brand:品牌; plugin:插件; navigation:导航; index:索引; compare:比较 对比; screen:屏幕; reader:阅读器; blind:盲人; accessibility:无障碍; keyword:关键词
business:业务 商业; competitor:竞争对手 竞品; startup:创业公司 初创; incident:事故 事件 故障; postmortem:复盘 事后; blameless:不追责; runbook:手册 应急; recovery:恢复
archive:归档; free:免费; presentation:演示文稿 演讲; slide:幻灯片; reliability:可靠性; dataset:数据集; draft:草稿 起草; send:发送; explain:解释 说明; offer:优惠 报价
experiment:实验; variant:版本 变体; headline:标题; title:标题; description:描述; budget:预算; legacy:老旧 遗留; outdated:过期 过时; modernize:现代化; monolith:单体
convention:约定 规范; backup:备份; example:示例 例子; certificate:证书; series:系列; sequence:序列 系列; welcome:欢迎; graph:图; group:组; summary:摘要 总结
evidence:证据; claim:说法 声明; fact:事实; true:真; coverage:覆盖率; word:词 单词; pdf:pdf; status:状态; schedule:调度 计划; ticket:工单; duplicate:重复
position:位置; resilience:韧性; theme:主题; topic:主题 话题; animation:动画; workspace:工作区; readable:可读; wording:措辞 润色; paragraph:段落 这段
rewrite:改写 重写; article:文章; blog:博客; game:游戏; player:玩家; story:故事; number:数字; people:人; speed:速度; order:订单 下单; transfer:传输 转移; growth:增长
audience:受众; handoff:交接; sales:销售; revenue:收入 营收; forecast:预测; financial:财务 金融; trading:交易; stock:股票; signup:注册; font:字体; color:颜色
icon:图标; spec:规格 规范; unit:单元; mock:模拟; vector:向量; similar:相似 类似; chatbot:聊天机器人; retrieval:检索; embedding:嵌入; tune:微调 调优
influencer:网红 影响者; follower:粉丝; referral:推荐; reward:奖励; churn:流失; retention:留存; paywall:付费墙 付费; credit:信用卡; card:卡; translate:翻译
localization:本地化 多语言; i18n:国际化 多语言 翻译; download:下载; upload:上传; sensor:传感器; microcontroller:微控制器 单片机; firmware:固件; embedded:嵌入式
kubernetes:集群; manifest:清单; cluster:集群; container:容器; ownership:所有权; generic:泛型; condition:条件; function:函数 功能; class:类; variable:变量
view:视图; transaction:事务; downtime:停机; separate:分离 拆分; split:拆分; visitor:访客 访问者; buy:购买; subscriber:订阅者; lead:线索 潜在客户; prospect:潜在客户
social:社交; post:帖子; press:媒体 新闻; public:公开; survey:调查 问卷; board:董事会; management:管理层 管理; executive:高管 管理层; roadmap:路线图; goal:目标; value:值
missing:缺失; validation:校验 验证; wrong:错误; timeout:超时; network:网络; traffic:流量; firewall:防火墙; encryption:加密; signature:签名; device:设备
keyboard:键盘; window:窗口; desktop:桌面; terminal:终端; notification:通知; calendar:日历; map:地图; photo:照片; scan:扫描; print:打印; tax:税; bank:银行
shipping:发货; hosting:托管; provision:供应; quota:配额; logging:日志; program:程序 编程 编写; standard:标准; state:状态; region:区域; identity:身份
knowledge:知识; hybrid:混合; batch:批处理 批量; option:选项; size:规模 大小; menu:菜单; fetch:获取; folder:文件夹 目录; import:导入; export:导出; stream:流
session:会话; observability:可观测性; comprehensive:全面 深入; native:原生; live:直播; transformation:转换; health:健康; capacity:容量; governance:治理
assets:素材; platform:平台; undo:撤销; revert:回滚; rollback:回滚 撤销; reuse:复用 可复用; element:元素; calculate:计算; portfolio:投资组合; spend:支出 花费
reduce:降低 减少; increase:提高 增加; cloud:云; adapt:调整 适应; organize:组织 整理; remind:提醒; sms:短信; newspaper:报纸; media:媒体; popup:弹窗; exit:离开 退出
give:给 送; address:地址; percent:百分之; shift:值班; on-call:值班; rotate:轮换; large:大; small:小; new:新; old:旧 老; cheap:便宜; expensive:贵; quick:快速
month:每个月 月; quarter:季度; week:周 星期; daily:每天; night:每晚 晚上; year:年; reason:原因; cause:原因; root:根; solution:解决方案; section:部分 章节; chapter:章
book:书; letter:信; sentence:句子; grammar:语法; spelling:拼写; tone:语气; voice:声音 语音; music:音乐; sound:声音; camera:相机; drawing:画 绘制; tree:树
node:节点; edge:边缘; object:对象; string:字符串; array:数组; thread:线程; lock:锁; leak:泄漏; patch:补丁; refund:退款; discount:折扣; coupon:优惠券; cart:购物车
checkout:结账; delivery:交付 配送; supplier:供应商; partner:合作伙伴; investor:投资者; hire:招聘; job:工作 任务; resume:简历; salary:工资; course:课程; teach:教
learn:学习; student:学生; science:科学; math:数学; statistics:统计; probability:概率; simulation:模拟 仿真; clock:时钟
`);
