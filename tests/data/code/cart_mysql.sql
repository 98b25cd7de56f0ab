/*!40101 SET NAMES utf8mb4 */;

-- What a customer is about to buy.
CREATE TABLE `cart` (
  `id` int unsigned NOT NULL AUTO_INCREMENT COMMENT 'номер 🛒',
  `state` enum('new','paid') COLLATE utf8mb4_unicode_ci DEFAULT 'new',
  PRIMARY KEY (`id`),
  KEY `by_state` (`state`) USING BTREE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

LOCK TABLES `cart` WRITE;
INSERT INTO `cart` VALUES (1,'new'),(2,'paid');
UNLOCK TABLES;
DELIMITER ;;
-- Closes old carts.
CREATE DEFINER=`root`@`localhost` PROCEDURE `close_carts`(IN days INT)
BEGIN
  DECLARE done INT DEFAULT 0;
  UPDATE cart SET state='closed' WHERE age > days;
  IF done THEN SELECT 1; END IF;
END ;;
DELIMITER ;
